import { formatRupees } from '#shared/domain/money.ts';
import type { Letter } from './letter.ts';
import { named, type PlanNamed } from './texts.ts';

/** A bank transfer is held: an operator is asked whether it is what is due less tax (TDS), or without `tdsPaise` whether it pays. */
export function transferHeld(
  plan: PlanNamed,
  { amountPaise, tdsPaise, utr, paymentId }: { amountPaise: number; tdsPaise: number; utr: string; paymentId: string },
): Letter {
  const due = formatRupees(amountPaise + tdsPaise);
  return {
    subject: `We are checking your bank transfer of ${formatRupees(amountPaise)} for ${named(plan)}`,
    paragraphs:
      tdsPaise === 0
        ? [
            'Your transfer has arrived. We check with our bank what it is for, and then let it pay or give all of it back.',
          ]
        : [
            `Your transfer has arrived. ${due} is due, so it is ${formatRupees(tdsPaise)} less, which may be tax that you deducted (TDS). We check this and then start your plan, or give all of it back. If you did not deduct tax, please tell us.`,
            'To have later transfers less TDS counted at once, say that you deduct it where the Billing Portal shows the account number.',
          ],
    facts: [
      ['Plan', named(plan)],
      ['Transferred', formatRupees(amountPaise)],
      ...(tdsPaise === 0 ? [] : ([['Due', due]] satisfies [string, string][])),
      ['Bank transfer (UTR)', utr],
      ['Payment', paymentId],
    ],
    link: { label: 'Write to support', path: '/support' },
  };
}
