import type { ButtonProps } from '@mantine/core';
import { NeedsNetwork } from '#web/features/payments/needs-network.tsx';
import type { Purchase } from '#web/features/payments/purchase.ts';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { moneyText } from '#web/ui/money-text.ts';

/** 'Pay ₹1,499': the button shows the amount that it charges. It is disabled while another payment is running. */
export function PayButton({
  payment,
  purchase,
  rupees,
  ...button
}: { payment: Payment; purchase: Purchase; rupees: number } & ButtonProps) {
  const { current, pay } = payment;
  const { cycleId, together } = purchase;
  const running =
    current?.purchase.cycleId === cycleId && (current.purchase.together === undefined) === (together === undefined);
  const label = together ? texts.payAll(moneyText(rupees), together.cycleIds.length) : texts.pay(moneyText(rupees));
  return (
    <NeedsNetwork>
      <ActionButton
        call="createOrder"
        size="sm"
        {...button}
        className="num"
        disabled={current !== null}
        running={running}
        onClick={() => pay(purchase)}
      >
        {running ? texts.steps[current.step] : label}
      </ActionButton>
    </NeedsNetwork>
  );
}
