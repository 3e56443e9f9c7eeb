import type { ButtonProps } from '@mantine/core';
import { paymentTexts as texts } from '#web/features/payments/texts.ts';
import type { Payment, PayTogether } from '#web/features/payments/use-payment.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { moneyText } from '#web/ui/money-text.ts';

/** 'Pay ₹1,499': the button shows the amount that it charges. It is disabled while another payment is running. */
export function PayButton({
  payment,
  cycleId,
  rupees,
  together,
  ...button
}: { payment: Payment; cycleId: string; rupees: number; together?: PayTogether } & ButtonProps) {
  const { current, pay } = payment;
  const running = current?.cycleId === cycleId && current.together === (together !== undefined);
  const label = together ? texts.payAll(moneyText(rupees), together.cycleIds.length) : texts.pay(moneyText(rupees));
  return (
    <ActionButton
      size="sm"
      {...button}
      className="num"
      disabled={current !== null}
      running={running}
      onClick={() => pay(cycleId, together)}
    >
      {running ? texts.steps[current.step] : label}
    </ActionButton>
  );
}
