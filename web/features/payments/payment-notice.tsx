import { Alert } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Cycle } from '#shared/contract/cycles.ts';
import { isPayable } from '#shared/domain/cycle.ts';
import { failedElsewhere, type PaidCycle } from '#web/features/payments/failed-elsewhere.ts';
import { failureText } from '#web/features/payments/payment-failure.ts';
import classes from '#web/features/payments/payment-notice.module.css';
import { cyclesOf, type FailedPayment } from '#web/features/payments/purchase.ts';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { ActionButton } from '#web/ui/action-button.tsx';

type NamedCycle = PaidCycle & Pick<Cycle, 'planName' | 'bill'>;

/**
 * A payment that failed, here or on another device, stays here, also after a reload, until the customer tries again or dismisses it
 * (product §4.22). One that was made elsewhere since, or whose cycle is gone, is dealt with.
 */
export function PaymentNotice({ payment, cycles }: { payment: Payment; cycles: readonly NamedCycle[] }) {
  const { current, pay, dismiss } = payment;
  const failed = payment.failed ?? failedPayment(payment, cycles);
  const place = useRef<HTMLDivElement>(null);
  const known = useRef(payment.failed);
  useEffect(() => {
    if (payment.failed !== null && payment.failed !== known.current) {
      place.current?.scrollIntoView({ block: 'nearest' });
    }
    known.current = payment.failed;
  }, [payment.failed]);
  if (failed === null) return null;
  const { purchase, failure } = failed;
  const meant = cycles.find(({ id }) => id === purchase.cycleId);
  const isMoneyBack = ['paidTwice', 'refunded', 'billChanged'].includes(failure.kind);
  const canRetry =
    !isMoneyBack &&
    cyclesOf(purchase).every((id) => cycles.some((each) => each.id === id && (isPayable(each) || each.bill !== null)));
  if (meant === undefined || !(canRetry || isMoneyBack)) return null;
  const { title, more } = failureText(failure, meant.planName);
  return (
    <Alert
      ref={place}
      className={classes.notice ?? ''}
      color={isMoneyBack ? 'yellow' : 'red'}
      icon={<CircleAlert size={18} />}
      title={title}
      withCloseButton
      closeButtonLabel={texts.dismiss}
      onClose={() => dismiss(cycles)}
    >
      {more}
      {canRetry && (
        <div className={classes.actions}>
          <ActionButton
            call="createOrder"
            size="sm"
            variant="default"
            disabled={current !== null}
            running={false}
            onClick={() => pay(purchase)}
          >
            {texts.tryAgain}
          </ActionButton>
        </div>
      )}
    </Alert>
  );
}

/** The portal knows of it, this tab does not. While a payment is under way here, its checkout says what happens. */
function failedPayment({ current, dealtWithAt }: Payment, cycles: readonly NamedCycle[]): FailedPayment | null {
  const elsewhere = current === null ? failedElsewhere(cycles, dealtWithAt) : undefined;
  if (elsewhere === undefined) return null;
  const { cycleId, reason } = elsewhere;
  return { purchase: { cycleId }, failure: { kind: 'attempt', reason } };
}
