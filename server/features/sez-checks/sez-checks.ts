import type { Db, Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { maxSezSearchesPerDay, reliedOnForMs, type SezOutcome, sezOutcomeOf } from '#shared/domain/tax-claim.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { isOfInvoicePortal } from '#server/e-invoice/e-invoices.ts';
import type { TaxpayerAnswer, TaxpayerSearch } from '#server/e-invoice/taxpayer-search.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';

/** What the GST portal said last of a GSTIN, for this customer; undefined while it was never asked, or never answered. */
export function selectLastCheck(owner: Owner, db: Db | Tx, gstin: string) {
  return db
    .selectFrom('sez_checks')
    .select(['checked_at', 'outcome', 'type_text'])
    .where('customer_id', '=', owner.customerId)
    .where('gstin', '=', gstin)
    .orderBy('checked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Asks the GST portal whether a GSTIN belongs to a unit or developer of an SEZ, and stores its answer with time and hash as evidence (product
 * §6.28). An answer that confirms it is relied on for 30 days, any other for an hour. Undefined when nobody can be asked or the portal is down.
 * Refused as sez_checked_too_often once the customer has used the searches of the day; those that fail count too.
 */
export async function checkSez(
  portal: Pick<Portal, 'db' | 'clock' | 'taxpayers' | 'log'>,
  owner: Owner,
  gstin: string,
): Promise<SezOutcome | undefined> {
  if (!portal.taxpayers) return undefined;
  const last = await selectLastCheck(owner, portal.db, gstin);
  if (last && portal.clock() < last.checked_at.getTime() + reliedOnForMs(last.outcome)) return last.outcome;
  if (!(await takeSearch(portal, owner))) throw refuse('sez_checked_too_often');
  try {
    const answer = await portal.taxpayers.find(gstin);
    return await storeAnswer(portal, owner, portal.db, gstin, answer);
  } catch (error) {
    if (!isOfInvoicePortal(error)) throw error;
    portal.log.warn({ err: error }, 'the GST portal could not be asked about an SEZ; the declaration decides');
    return undefined;
  }
}

/** Keeps an answer as evidence. */
async function storeAnswer(
  { clock }: Pick<Portal, 'clock'>,
  { customerId }: Owner,
  db: Db | Tx,
  gstin: string,
  { found, text }: TaxpayerAnswer,
): Promise<SezOutcome> {
  const outcome = sezOutcomeOf(found);
  await db
    .insertInto('sez_checks')
    .values({
      customer_id: customerId,
      gstin,
      checked_at: new Date(clock()),
      outcome,
      type_text: found?.type ?? '',
      answer: text,
      answer_sha256: sha256(text),
    })
    // Two at the same time got the same answer.
    .onConflict((conflict) => conflict.columns(['customer_id', 'gstin', 'checked_at']).doNothing())
    .execute();
  return outcome;
}

/** The GST portal's search for an operator. Throws OperatorRefusal when nobody can be asked. */
export function requireSearch({ taxpayers }: Pick<Portal, 'taxpayers'>): TaxpayerSearch {
  if (!taxpayers)
    throw new OperatorRefusal(
      'The search of taxpayers is not set up: set GSP_URL, GSP_CLIENT_ID and GSP_CLIENT_SECRET.',
    );
  return taxpayers;
}

/**
 * Asks the GST portal again, whatever it said before, and keeps its answer in the transaction of the audit log. Counts as a search of the customer's
 * day. Throws OperatorRefusal.
 */
export async function checkSezAgain(
  portal: Pick<Portal, 'db' | 'clock' | 'taxpayers'>,
  owner: Owner,
  gstin: string,
  cause: OperatorCause,
): Promise<{ outcome: SezOutcome; type: string }> {
  const search = requireSearch(portal);
  if (!(await takeSearch(portal, owner)))
    throw new OperatorRefusal(`${owner.customerId} has had the ${maxSezSearchesPerDay} searches of today.`);
  const answer = await search.find(gstin).catch((error: unknown) => {
    if (!isOfInvoicePortal(error)) throw error;
    throw new OperatorRefusal(`The GST portal gave no answer: ${error.message}. Try again later.`);
  });
  return transaction(portal.db, async (tx) => {
    const outcome = await storeAnswer(portal, owner, tx, gstin, answer);
    const { customerId } = owner;
    await recordAction(tx, { ...cause, action: 'sez.check', target: gstin, customerId, effect: { outcome } });
    return { outcome, type: answer.found?.type ?? '' };
  });
}

/** Counts a search of today before it is made, so that searches at the same time count too; false when the day has none left. */
async function takeSearch(portal: Pick<Portal, 'db' | 'clock'>, { customerId }: Owner): Promise<boolean> {
  const today = dayOf(portal.clock());
  const { numUpdatedRows } = await portal.db
    .updateTable('customers')
    .set((row) => ({
      sez_searched_on: today,
      sez_searches: row
        .case()
        .when('sez_searched_on', '=', today)
        .then(row('sez_searches', '+', 1))
        .else(1)
        .end(),
    }))
    .where('id', '=', customerId)
    .where((row) =>
      row.or([row('sez_searched_on', 'is distinct from', today), row('sez_searches', '<', maxSezSearchesPerDay)]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
