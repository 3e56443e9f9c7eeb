import type { Fact } from '#web/ui/facts.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { uiTexts } from '#web/ui/texts.ts';

/** What is refunded, and what of it is paid by bank transfer, as it can't go back the way it was paid. In rupees. */
interface Refund {
  refundAmount: number;
  transferAmount: number;
  /** Tax (TDS) that was withheld from a bank transfer, so that it never came. */
  withheldAmount: number;
}

/** A refund before it is started; nothing when there is none. */
export function refundFacts({
  refundAmount,
  transferAmount,
  withheldAmount,
}: Refund): (Fact & { label: string; value: string })[] {
  const { refund: texts } = uiTexts;
  return [
    ...(refundAmount > 0 ? [{ key: 'refund', label: texts.label, value: moneyText(refundAmount) }] : []),
    ...(transferAmount > 0
      ? [{ key: 'transfer', label: texts.transfer, value: texts.transferMore(moneyText(transferAmount)) }]
      : []),
    ...(withheldAmount > 0
      ? [{ key: 'withheld', label: texts.withheld, value: texts.withheldMore(moneyText(withheldAmount)) }]
      : []),
  ];
}

/** A refund that was started; undefined when there is none. */
export function refundDoneText({ refundAmount, transferAmount }: Refund): string | undefined {
  if (refundAmount === 0) return undefined;
  const { refund: texts } = uiTexts;
  const amount = moneyText(refundAmount);
  return transferAmount > 0 ? texts.transferDone(amount, moneyText(transferAmount)) : texts.done(amount);
}
