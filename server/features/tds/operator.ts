import type { tdsCalls } from '#shared/contract/operator/tds.ts';
import type { Db } from '#shared/database/connect.ts';
import { rupees } from '#shared/domain/money.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { acceptTds, refuseTds, requireWaiting } from './decide.ts';
import { listClaims, type ListedClaim } from './list.ts';

export const tdsHandlers: Handlers<typeof tdsCalls> = {
  listTdsClaims: { read: async ({ db }, { status }) => (await listClaims(db, status)).map(claimOf) },
  acceptTds: {
    preview: ({ db }, { claimId }) => waitingClaim(db, claimId),
    perform: async (operator, { claimId }, cause) => {
      await acceptTds(operator, claimId, cause);
      return findClaim(operator.db, claimId);
    },
  },
  refuseTds: {
    preview: ({ db }, { claimId }) => waitingClaim(db, claimId),
    perform: async (operator, { claimId }, cause) => {
      await refuseTds(operator, claimId, cause);
      return findClaim(operator.db, claimId);
    },
  },
};

async function findClaim(db: Db, claimId: string) {
  const claim = (await listClaims(db)).find(({ id }) => id === claimId);
  if (!claim) throw new OperatorRefusal(`There is no claim ${claimId}. List them with: octroi tds list --status ALL`);
  return claimOf(claim);
}

async function waitingClaim(db: Db, claimId: string) {
  const claim = await findClaim(db, claimId);
  requireWaiting(claim);
  return claim;
}

const claimOf = ({ amountPaise, taxablePaise, ...claim }: ListedClaim) => ({
  ...claim,
  amount: rupees(amountPaise),
  taxableValue: rupees(taxablePaise),
});
