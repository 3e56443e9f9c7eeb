import type { Tds, TdsClaim } from '#shared/contract/tds.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import { letterTypeOf, maxLetterBytes } from '#shared/domain/tax-claim.ts';
import { maxTdsPaise, quartersBetween, tdsSectionOf } from '#shared/domain/tds.ts';
import { newId, sha256 } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import { leftOfCycle } from '#server/features/refunds/refunds.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { insertClaim, ownsCycle, selectCertificate, selectClaims, selectInvoiced, selectWithheld } from './store.ts';

export { acceptTds, refuseTds } from './decide.ts';
export {
  certificateFileName,
  listAccepted,
  listClaims,
  type ListedClaim,
  listWithheld,
  readCertificate,
} from './list.ts';

/** Tax deducted at source by billing cycle; a cycle without an invoice to a GSTIN has none (product §6.27). */
export async function listTds(portal: Portal, owner: Owner, cycleId?: string): Promise<Map<string, Tds>> {
  const [invoiced, rows, withheld] = await Promise.all([
    selectInvoiced(owner, portal.db, cycleId),
    selectClaims(owner, portal.db, cycleId),
    selectWithheld(owner, portal.db, cycleId),
  ]);
  const claims = groupBy(rows, (row) => row.cycle_id);
  const today = dayOf(portal.clock());
  return new Map(
    invoiced.map(({ cycle_id: id, came_on: cameOn, taxable_paise: taxablePaise }) => {
      const claim = claims.get(id)?.at(-1);
      const tds = {
        mayDeclare: claim === undefined || claim.status === 'REFUSED',
        maxAmount: rupees(withheld.get(id) ?? maxTdsPaise(taxablePaise)),
        isWithheld: withheld.has(id),
        quarters: cameOn === null ? [] : quartersBetween(cameOn, today),
        claim: claim ? describeClaim(claim) : null,
      };
      return [id, tds];
    }),
  );
}

function describeClaim(row: Awaited<ReturnType<typeof selectClaims>>[number]): TdsClaim {
  return {
    id: row.id,
    status: row.status,
    amount: rupees(row.amount_paise),
    tan: row.tan,
    section: row.section,
    quarter: row.quarter,
    declaredOn: row.declared_on,
    certificateName: row.certificate_name,
    decidedOn: row.decided_at === null ? null : dayOf(row.decided_at.getTime()),
    reason: row.reason,
  };
}

/** Stores a claim with its certificate, and tells the operator (product §6.27). */
export async function declareTds(
  portal: Portal,
  owner: Owner,
  cycleId: string,
  declared: { tan: string; amount: number; quarter: string; name: string; certificate: string },
): Promise<Tds> {
  const certificate = Buffer.from(declared.certificate, 'base64');
  const type = letterTypeOf(certificate);
  const isReadable = type !== undefined && certificate.length <= maxLetterBytes;
  const { tan, quarter, name } = declared;
  const amountPaise = toPaise(declared.amount);
  const nowMs = portal.clock();
  await transaction(portal.db, async (tx) => {
    if (!(await ownsCycle(owner, tx, cycleId))) throw refuse('not_found');
    const [sold] = await selectInvoiced(owner, tx, cycleId);
    if (!sold || sold.came_on === null) throw refuse('tds_not_declarable');
    if (!isReadable) throw refuse('letter_unreadable');
    const { leftPaise } = await leftOfCycle(tx, cycleId);
    // A plan ends when Razorpay has nothing left of its payment, which no claim does.
    const endsPlan = sold.status === 'PAID' && amountPaise >= leftPaise;
    const isTooMuch = amountPaise > maxTdsPaise(sold.taxable_paise) || endsPlan;
    const withheldPaise = (await selectWithheld(owner, tx, cycleId)).get(cycleId);
    // The claim proves exactly what was withheld, which is of the value on the day of the payment.
    if (withheldPaise === undefined ? isTooMuch : amountPaise !== withheldPaise) throw refuse('tds_too_much');
    const on = dayOf(nowMs);
    if (!quartersBetween(sold.came_on, on).includes(quarter)) throw refuse('tds_wrong_quarter');
    const claimId = newId('TDS');
    const section = tdsSectionOf(quarter);
    const file = { name, type, certificate, sha256: sha256(certificate) };
    const about = { cycleId, invoiceId: sold.invoice_id, tan, section, quarter, amountPaise };
    const isNew = await insertClaim(owner, tx, { id: claimId, ...about, ...file, on, now: new Date(nowMs) });
    if (!isNew) throw refuse('tds_not_declarable');
    const event = { type: 'tds.declared', claimId, cycleId, invoice: sold.number, quarter, amountPaise, tan } as const;
    await happened(portal, owner, tx, event);
  });
  const tds = (await listTds(portal, owner, cycleId)).get(cycleId);
  if (!tds) throw new Error(`cycle ${cycleId} lost its invoice`);
  return tds;
}

/** The certificate of the newest claim of a cycle. */
export async function readTdsCertificate(portal: Portal, owner: Owner, cycleId: string) {
  const claim = (await selectClaims(owner, portal.db, cycleId)).at(-1);
  if (!claim) throw refuse('not_found');
  const certificate = await selectCertificate(portal.db, claim.id);
  return {
    name: claim.certificate_name,
    type: claim.certificate_type,
    certificate: certificate.toString('base64'),
  };
}
