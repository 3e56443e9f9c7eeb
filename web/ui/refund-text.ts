import type { Fact } from '#web/ui/facts.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { uiTexts } from '#web/ui/texts.ts';

/** What is refunded, and what of it is paid by bank transfer, as it can't go back the way it was paid. In rupees. */
interface Refund {
  refundAmount: number;
  transferAmount: number;
  /** What of it lowers a bill that is paid later, so that no money moves. */
  offsetAmount?: number;
  /** Tax (TDS) that was withheld from a bank transfer, so that it never came. */
  withheldAmount: number;
}

/** A refund before it is started; nothing when there is none. */
export function refundFacts({
  refundAmount,
  transferAmount,
  offsetAmount = 0,
  withheldAmount,
}: Refund): (Fact & { label: string; value: string })[] {
  const { refund: texts } = uiTexts;
  return [
    ...(refundAmount > offsetAmount
      ? [{ key: 'refund', label: texts.label, value: moneyText(refundAmount - offsetAmount) }]
      : []),
    ...(offsetAmount > 0
      ? [{ key: 'offset', label: texts.label, value: texts.offsetMore(moneyText(offsetAmount)) }]
      : []),
    ...(transferAmount > 0
      ? [{ key: 'transfer', label: texts.transfer, value: texts.transferMore(moneyText(transferAmount)) }]
      : []),
    ...(withheldAmount > 0
      ? [{ key: 'withheld', label: texts.withheld, value: texts.withheldMore(moneyText(withheldAmount)) }]
      : []),
  ];
}

/** A refund that was started; undefined when there is none. */
export function refundDoneText({ refundAmount, transferAmount, offsetAmount = 0 }: Refund): string | undefined {
  if (refundAmount === 0) return undefined;
  const { refund: texts } = uiTexts;
  const offset = offsetAmount > 0 ? [texts.offsetMore(moneyText(offsetAmount))] : [];
  if (offsetAmount === refundAmount) return offset.join('');
  const amount = moneyText(refundAmount - offsetAmount);
  const done = transferAmount > 0 ? texts.transferDone(amount, moneyText(transferAmount)) : texts.done(amount);
  return [...offset, done].join(' ');
}
