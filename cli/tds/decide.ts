import { CommandFailed, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import { formatRupees } from '#domain/money.ts';
import { acceptTds, listClaims, refuseTds, requireWaiting } from '#server/features/tds/tds.ts';
import { asOperator } from '#server/operator-context.ts';

const verbs = {
  accept: { decide: acceptTds, status: 'ACCEPTED', done: 'accepted', question: 'Accept it and refund its amount?' },
  refuse: { decide: refuseTds, status: 'REFUSED', done: 'refused', question: 'Refuse it?' },
} as const;

export const acceptClaim = (claimId: string, options: ActionOptions) => decideClaim('accept', claimId, options);
export const refuseClaim = (claimId: string, options: ActionOptions) => decideClaim('refuse', claimId, options);

async function decideClaim(verb: keyof typeof verbs, claimId: string, options: ActionOptions): Promise<void> {
  const { decide, status, done, question } = verbs[verb];
  await asOperator(async (operator) => {
    const claim = (await listClaims(operator.db)).find(({ id }) => id === claimId);
    if (!claim) throw new CommandFailed(`There is no claim ${claimId}. List them with: octroi tds list --status ALL`);
    requireWaiting(claim);
    const amount = formatRupees(claim.amountPaise);
    const about = `${claimId}: TDS of ${amount} on ${claim.invoice} of ${claim.customer}, ${claim.quarter}, TAN ${claim.tan}`;
    if (options.dryRun === true) {
      printResult(options.json, { decided: false, id: claimId, status: claim.status }, [about, 'Nothing was changed.']);
      return;
    }
    showEffect([about], options);
    await confirm(question, options);
    await decide(operator, claimId, causeOf(options));
    printResult(options.json, { decided: true, id: claimId, status }, [
      verb === 'accept' ? `${claimId} is accepted; ${amount} is refunded to the customer.` : `${claimId} is ${done}.`,
    ]);
  });
}
