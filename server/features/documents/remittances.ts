import type { z } from 'zod';
import type { proofSchema } from '#shared/contract/operator/documents.ts';
import type { Db } from '#shared/database/connect.ts';
import { condition, sumOf } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf, type Day, daysBetween } from '#shared/domain/day.ts';
import { proofDueOn, remittanceAlert, taxDueOn } from '#shared/domain/remittance.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import type { Portal } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/**
 * A taxable export that was invoiced and not credited in full, with what was not credited, with the proof of its payment from abroad, if recorded. Oldest first. Of an exempt
 * supply no tax can fall due (Rule 96A). All of them, or those without a proof; `issuedBy`: until a day.
 */
export async function readExports(
  db: Db,
  nowMs: number,
  { which = 'all', issuedBy }: { which?: 'all' | 'unproved'; issuedBy?: Day } = {},
) {
  const today = dayOf(nowMs);
  const rows = await db
    .selectFrom('current_papers')
    .innerJoin('documents', 'documents.id', 'current_papers.document_id')
    .leftJoin('remittance_proofs as proof', 'proof.payment_id', 'documents.payment_id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .select((document) => document.fn.coalesce('amendments.content', 'documents.content').as('content'))
    .select(['documents.number', 'documents.issued_on', 'documents.payment_id', 'documents.total_paise'])
    .select(['documents.customer_id', 'proof.kind', 'proof.reference', 'proof.received_on'])
    // To the letter as in the index of exports.
    .where(condition`documents.kind = 'INVOICE' and documents.content ->> 'supplyType' in ('EXPWP', 'EXPWOP')`)
    .$if(which === 'unproved', (query) => query.where('proof.payment_id', 'is', null))
    .$if(issuedBy !== undefined, (query) => query.where('documents.issued_on', '<=', issuedBy ?? today))
    .where((document) => document.ref('documents.content', '->>').key('gstRateBasisPoints'), '<>', '0')
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom('documents as note')
          .select((note) => sumOf(note.ref('note.total_paise')).as('paise'))
          .whereRef('note.refers_to', '=', 'documents.id')
          .where('note.kind', '=', 'CREDIT_NOTE')
          .as('credited'),
      (join) => join.onTrue(),
    )
    .select('credited.paise as credited_paise')
    .whereRef('credited.paise', '<', 'documents.total_paise')
    .orderBy('documents.issued_on')
    .orderBy('documents.number')
    .execute();
  return rows.map((row) => {
    const dueOn = proofDueOn(row.issued_on);
    const proof =
      row.kind === null || row.reference === null || row.received_on === null
        ? null
        : { kind: row.kind, reference: row.reference, receivedOn: row.received_on };
    return {
      paymentId: row.payment_id,
      number: row.number,
      issuedOn: row.issued_on,
      buyer: row.content.recipient.name,
      country: row.content.recipient.country,
      customerId: row.customer_id,
      totalPaise: row.total_paise - row.credited_paise,
      underLetter: row.content.lut,
      state: proof ? ('proved' as const) : today > dueOn ? ('overdue' as const) : ('awaited' as const),
      dueOn,
      daysLeft: daysBetween(today, dueOn),
      taxDueOn: taxDueOn(row.issued_on),
      proof,
    };
  });
}

/** The customer of an export about which a proof of this day can be recorded; throws OperatorRefusal with the reason otherwise. */
export async function requireExport(
  db: Db,
  nowMs: number,
  { paymentId, receivedOn }: { paymentId: string; receivedOn: Day },
): Promise<string> {
  const sold = await db
    .selectFrom('documents')
    .select((document) => ['customer_id', document.ref('content', '->>').key('supplyType').as('supply_type')])
    .where('payment_id', '=', paymentId)
    .where('kind', 'in', ['INVOICE', 'RECEIPT_VOUCHER'])
    .execute();
  const [first] = sold;
  if (first === undefined)
    throw new OperatorRefusal(`There is no document about the payment ${paymentId}.`, 'not_found');
  if (!sold.some(({ supply_type: type }) => type.startsWith('EXP'))) {
    throw new OperatorRefusal(`The payment ${paymentId} is not for an export.`);
  }
  if (receivedOn > dayOf(nowMs)) throw new OperatorRefusal(`${receivedOn} has not come yet.`);
  return first.customer_id;
}

/** For the operator: records the proof of an export's payment; a second one for the payment corrects the first. Returns the customer's id. */
export async function recordProof(
  db: Db,
  nowMs: number,
  proof: z.output<typeof proofSchema>,
  cause: OperatorCause,
): Promise<string> {
  const customerId = await requireExport(db, nowMs, proof);
  const columns = {
    kind: proof.kind,
    reference: proof.reference,
    received_on: proof.receivedOn,
    currency: proof.currency,
    amount: proof.amount,
    recorded_at: new Date(nowMs),
  };
  const { paymentId: target, ...effect } = proof;
  await transaction(db, async (tx) => {
    await tx
      .insertInto('remittance_proofs')
      .values({ payment_id: target, ...columns })
      .onConflict((conflict) => conflict.column('payment_id').doUpdateSet(columns))
      .execute();
    await recordAction(tx, { ...cause, action: 'remittances.record', target, customerId, effect });
  });
  return customerId;
}

/** Logs an error for each export whose proof of payment is missing, on fixed days. Called once a day. */
export async function alertRemittances({ db, clock, log }: Pick<Portal, 'db' | 'clock' | 'log'>): Promise<void> {
  for (const { number, issuedOn, paymentId } of await readExports(db, clock(), { which: 'unproved' })) {
    const alert = remittanceAlert(issuedOn, dayOf(clock()));
    if (alert)
      log.error({ number, paymentId, ...alert }, 'an export has no proof of its payment: see octroi remittances list');
  }
}
