import type { Activation } from '#shared/contract/activations.ts';
import type { AllHistoryEntry } from '#shared/contract/invoices.ts';
import { type BillingSum, billingSums } from '#web/features/activations/billing-rows.ts';
import { billingTexts as texts } from '#web/features/activations/texts.ts';
import { openCycles } from '#web/features/cycles/open-cycles.ts';
import { endText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { useToday } from '#web/ui/today.ts';

/** Amounts to pay and paid, and until when each activation is covered. */
export function BillingFacts({
  activations,
  rows,
}: {
  activations: readonly Activation[];
  rows: readonly AllHistoryEntry[];
}) {
  const today = useToday();
  const { toPay, paidThisYear } = billingSums(rows, today);
  return (
    <Facts
      look="figures"
      facts={[
        sumFact(texts.toPay, toPay),
        sumFact(texts.paidIn(today.slice(0, 4)), paidThisYear),
        ...activations.map(({ id, service, billingCycles }) => {
          const { coveredUntil } = openCycles(billingCycles, today);
          return {
            key: id,
            label: texts.paidUntil(service.name),
            value: coveredUntil === undefined ? texts.notCovered : endText(coveredUntil, today),
          };
        }),
      ]}
    />
  );
}

function sumFact(label: string, { rupees, count }: BillingSum) {
  return { key: label, label, value: moneyText(rupees), ...(count > 0 && { more: texts.payments(count) }) };
}
