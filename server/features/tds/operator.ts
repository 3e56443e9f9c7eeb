import type { tdsCalls } from '#shared/contract/operator/tds.ts';
import type { Db } from '#shared/database/connect.ts';
import { rupees } from '#shared/domain/money.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { acceptTds, noSuchClaim, previewAcceptance, refuseTds, requireRefusable } from './decide.ts';
import { certificateFileName, listClaims, type ListedClaim, readCertificate } from './list.ts';

export const tdsHandlers: Handlers<typeof tdsCalls> = {
  listTdsClaims: { read: async ({ db }, { status }) => (await listClaims(db, status)).map(claimOf) },
  readCertificate: {
    read: async ({ db }, { claimId }) => {
      const claim = await findClaim(db, claimId);
      const bytes = await readCertificate(db, claimId);
      const { customerId, certificateType: type } = claim;
      return { claimId, customerId, name: certificateFileName(claim), type, certificate: bytes.toString('base64') };
    },
  },
  acceptTds: {
    preview: async (operator, { claimId }, cause) => {
      const { payout, refundPaise, offsetPaise, settles } = await previewAcceptance(operator, claimId, cause);
      return {
        ...(await findClaim(operator.db, claimId)),
        payout,
        refund: rupees(refundPaise),
        offset: rupees(offsetPaise),
        settles,
      };
    },
    perform: async (operator, { claimId }, cause) => {
      const { payout, refundPaise, offsetPaise, settles } = await acceptTds(operator, claimId, cause);
      return {
        ...(await findClaim(operator.db, claimId)),
        payout,
        refund: rupees(refundPaise),
        offset: rupees(offsetPaise),
        settles,
      };
    },
  },
  refuseTds: {
    preview: async ({ db }, { claimId }, cause) => {
      await requireRefusable(db, claimId, cause);
      return findClaim(db, claimId);
    },
    perform: async (operator, { claimId }, cause) => {
      await refuseTds(operator, claimId, cause);
      return findClaim(operator.db, claimId);
    },
  },
};

async function findClaim(db: Db, claimId: string) {
  const claim = (await listClaims(db)).find(({ id }) => id === claimId);
  if (!claim) throw noSuchClaim(claimId);
  return claimOf(claim);
}

const claimOf = ({ amountPaise, taxablePaise, ...claim }: ListedClaim) => ({
  ...claim,
  amount: rupees(amountPaise),
  taxableValue: rupees(taxablePaise),
});
