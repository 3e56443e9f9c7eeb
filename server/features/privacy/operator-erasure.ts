import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { returnUnusedUnits } from '#server/features/cycles/cycles.ts';
import { happened } from '#server/features/events/events.ts';
import { eraseCustomer, eraseLogged, eraseRest } from './erase.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import type { Owner } from '#server/portal.ts';
import { type ErasureFacts, readErasureFacts, selectLive } from './erasure-facts.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

export interface ErasureResult extends ErasureFacts {
  /** Null when every living gateway refuses the keys; otherwise from this moment (ISO 8601) all of them do. */
  effectiveBy: string | null;
}

/** What an operator says must not stop an erasure. */
export interface ErasureDespite {
  /** Paid plans that run: they end too. */
  endPlans: boolean;
  /** Data that the law wants kept for a year. */
  withinYear: boolean;
}

/**
 * Erases a customer (product §12.3): returns when every gateway refuses all keys, no session is left, and everything that names the person is
 * gone, but what tax law requires.
 */
export async function eraseByOperator(
  context: OperatorContext,
  id: string,
  cause: OperatorCause,
  despite: ErasureDespite,
): Promise<ErasureResult> {
  const reason = cause.reason.trim();
  const owner = { customerId: id.trim() };
  await returnAllUnused(context.db, owner, despite);
  const { result, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    // Activations first, as settling a payment locks them; then nothing is bought, written or activated for the customer.
    await tx
      .selectFrom('activations')
      .select('id')
      .where('customer_id', '=', owner.customerId)
      .orderBy('id')
      .forUpdate()
      .execute();
    await tx.selectFrom('customers').select('id').where('id', '=', owner.customerId).forUpdate().execute();
    // Read under the locks, which may have been waited for; and the portal that took the request may be ahead of this machine.
    const now = context.clock();
    const facts = await readErasureFacts(tx, context.catalog, id, now);
    requireErasable(facts, despite);
    const { email, counts, kept } = facts;
    const at = new Date(Math.max(now, facts.askedAt?.getTime() ?? now));
    const effect = {
      askedAt: facts.askedAt?.toISOString() ?? null,
      keysInUse: facts.keysInUse,
      paidPlans: facts.paidPlans.map(({ cycleId }) => cycleId),
      refundPaise: facts.refundPaise,
      keptUntil: kept?.last ?? null,
      rows: Object.fromEntries(
        counts.map(({ kind, deleted, madeAnonymous, kept: stays, keptNumbers }) => [
          kind,
          { deleted, madeAnonymous, kept: stays, keptNumbers },
        ]),
      ),
    };
    await recordAction(tx, {
      ...cause,
      reason,
      action: 'customers.erase',
      target: owner.customerId,
      ...owner,
      effect,
      paise: facts.refundPaise,
    });
    const before = new Set((await selectDocuments(tx, owner)).map(({ id: document }) => document));
    await eraseCustomer(context, owner, change, at);
    await tx
      .updateTable('erasure_requests')
      .set({ ended_at: at, outcome: 'ERASED' })
      .where('customer_id', '=', owner.customerId)
      .where('ended_at', 'is', null)
      .execute();
    await happened(context, owner, tx, {
      type: 'account.erased',
      ...owner,
      email,
      reason,
      at,
      keptUntil: kept?.last ?? null,
      refundPaise: await selectRefunding(tx, owner),
      documents: (await selectDocuments(tx, owner)).filter(({ id: document }) => !before.has(document)),
    });
    return facts;
  });
  await eraseRest(context.db, owner);
  await eraseLogged(context, owner);
  return { ...result, effectiveBy };
}

/** So that packs that no call used are refunded where the plan says so, as when the customer deletes the activation. */
export async function returnAllUnused(
  db: Db,
  owner: Owner,
  { endPlans }: Pick<ErasureDespite, 'endPlans'>,
): Promise<void> {
  if (!endPlans) return;
  for (const id of await selectLive(db, owner)) await returnUnusedUnits(db, owner, id);
}

function selectDocuments(tx: Tx, { customerId }: Owner) {
  return tx
    .selectFrom('documents')
    .select(['id', 'kind', 'number', 'issued_on as issuedOn'])
    .where('customer_id', '=', customerId)
    .orderBy('number')
    .execute();
}

/**
 * What is being refunded: by the erasure, as before it nothing may be open. Not by bank transfer: nobody would know whose account to ask
 * for.
 */
async function selectRefunding(tx: Tx, { customerId }: Owner): Promise<number> {
  const rows = await tx
    .selectFrom('refunds')
    .select(['amount_paise', 'payout'])
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'PROCESSED')
    .execute();
  if (rows.some(({ payout }) => payout === 'TRANSFER'))
    throw new OperatorRefusal(
      `${customerId} gets money for what is left of the plans, and Razorpay can’t pay it: it needs a bank account. End the plans first with octroi refund, transfer the money, and erase then.`,
    );
  return rows.reduce((sum, { amount_paise: paise }) => sum + paise, 0);
}

/** Reasons that block an erasure, money first; a paid plan ends only when the operator says so. */
function requireErasable(
  { customerId, open, paidPlans, notBefore }: ErasureFacts,
  { endPlans, withinYear }: ErasureDespite,
): void {
  if (open.length > 0)
    throw new OperatorRefusal(`${customerId} can’t be erased while money or papers are open: ${open.join('; ')}.`);
  if (paidPlans.length > 0 && !endPlans)
    throw new OperatorRefusal(
      `${customerId} has paid plans: ${paidPlans.map(({ planName, cycleId, toDate }) => `${planName} (${cycleId}) until ${toDate}`).join(', ')}. Wait for their end, refund them with octroi refund, or add --end-plans to end them.`,
    );
  if (notBefore !== null && !withinYear)
    throw new OperatorRefusal(
      `${customerId} can’t be erased before ${notBefore}: personal data and logs are kept for a year after they were last processed (DPDP Rules 2025, rule 8(3)). Until then: octroi customers block. If your lawyer says otherwise: --within-year`,
    );
}

export interface OpenRequest {
  id: string;
  customerId: string;
  name: string;
  email: string;
  askedAt: Date;
}

/** Customers who ask to be erased, oldest first. */
export function listErasureRequests(db: Db): Promise<OpenRequest[]> {
  return db
    .selectFrom('erasure_requests as request')
    .innerJoin('customers as customer', 'customer.id', 'request.customer_id')
    .select([
      'request.id',
      'customer.id as customerId',
      'customer.name',
      'customer.email',
      'request.asked_at as askedAt',
    ])
    .where('request.ended_at', 'is', null)
    .orderBy('request.asked_at')
    .execute();
}
