import { ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Activation } from '#shared/contract/activations.ts';
import { isPayable } from '#shared/domain/cycle.ts';
import { openCycles } from '#web/features/cycles/open-cycles.ts';
import { NeedsNetwork } from '#web/features/payments/needs-network.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { useToday } from '#web/ui/today.ts';
import { lazyComponent } from '#web/ui/load-code.ts';

const PayMenu = lazyComponent(async () => (await import('#web/features/cycles/pay-menu.tsx')).PayMenu);

interface CompletePaymentProps {
  activation: Activation;
  payment: Payment;
  label: string;
}

/** Complete Payment (product §2.24): opens the checkout, or a menu of what can be paid when several subscriptions are unpaid. */
export function CompletePayment({ activation, payment, label }: CompletePaymentProps) {
  // Pressed before the menu's code was there: it opens once it is.
  const [isWanted, setWanted] = useState(false);
  const open = openCycles(activation.billingCycles, useToday());
  const payable = open.upcoming.filter(isPayable);
  const [first] = payable;
  if (first === undefined) return null;
  const running = payment.current !== null && payable.some(({ id }) => id === payment.current?.purchase.cycleId);
  const button = { call: 'createOrder', disabled: payment.current !== null, running } as const;
  if (payable.length === 1) {
    return (
      <NeedsNetwork>
        <ActionButton {...button} onClick={() => payment.pay({ cycleId: first.id })}>
          {label}
        </ActionButton>
      </NeedsNetwork>
    );
  }
  const look = { ...button, rightSection: <ChevronDown size={16} aria-hidden /> };
  const opener = <ActionButton {...look}>{label}</ActionButton>;
  return (
    <NeedsNetwork>
      <Suspense
        fallback={
          <ActionButton {...look} onClick={() => setWanted(true)}>
            {label}
          </ActionButton>
        }
      >
        <PayMenu
          activationId={activation.id}
          open={open}
          payable={payable}
          opener={opener}
          isOpened={isWanted}
          onPay={payment.pay}
        />
      </Suspense>
    </NeedsNetwork>
  );
}
