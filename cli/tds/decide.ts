import { formatRupees } from '#domain/money.ts';
import { acceptTds, refuseTds } from '#server/features/tds/tds.ts';
import { asOperator } from '#server/operator-context.ts';
import { printResult } from '#cli/command-result.ts';

interface Options {
  json?: boolean;
}

export async function acceptClaim(claimId: string, { json }: Options): Promise<void> {
  const claim = await asOperator((operator) => acceptTds(operator, claimId));
  printResult(json, { id: claim.id, status: 'ACCEPTED' }, [
    `${claim.id} is accepted. ${formatRupees(claim.amount_paise)} is refunded to the customer.`,
  ]);
}

export async function refuseClaim(claimId: string, { json, reason }: Options & { reason: string }): Promise<void> {
  const claim = await asOperator((operator) => refuseTds(operator, claimId, reason));
  printResult(json, { id: claim.id, status: 'REFUSED' }, [`${claim.id} is refused. The customer is told why.`]);
}
