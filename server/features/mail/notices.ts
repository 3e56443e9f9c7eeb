import { productName } from '#catalog/catalog.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { CycleDates } from '#domain/cycle.ts';
import type { DocumentReference } from '#domain/document.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { writeMail } from './write.ts';
import * as texts from './texts.ts';

/** A document whose paper is attached. */
interface Attached extends DocumentReference {
  id: string;
}

/** Tells of a payment that made a cycle paid, with its invoice or receipt voucher. */
export async function tellOfPayment(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  paid: { cycleId: string; paymentId: string; amountPaise: number; dates: CycleDates; document: Attached },
): Promise<void> {
  const letter = texts.paymentReceived(await planOf(portal, tx, paid.cycleId), { ...paid, ...paid.dates });
  await writeMail(portal, caller, tx, `paid:${paid.paymentId}`, letter, { documentId: paid.document.id });
}

/** Tells of a payment that failed; once, however often it is heard of. */
export async function tellOfFailure(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  failed: { cycleId: string; paymentId: string; amountPaise: number; reason: string | null },
): Promise<void> {
  const letter = texts.paymentFailed(await planOf(portal, tx, failed.cycleId), failed);
  await writeMail(portal, caller, tx, `failed:${failed.paymentId}`, letter);
}

/** Tells that a cycle paid in advance has started, with its invoice. */
export async function tellOfStart(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  started: { cycleId: string; dates: CycleDates; invoice: Attached },
): Promise<void> {
  const letter = texts.planStarted(await planOf(portal, tx, started.cycleId), started.dates, started.invoice);
  await writeMail(portal, caller, tx, `started:${started.cycleId}`, letter, { documentId: started.invoice.id });
}

/** Tells of a corrected invoice, with the new one. */
export async function tellOfCorrection(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  corrected: { replaced: DocumentReference; creditNote: Attached; invoice: Attached },
): Promise<void> {
  const letter = texts.invoiceCorrected(corrected.replaced, corrected.creditNote, corrected.invoice);
  await writeMail(portal, caller, tx, `corrected:${corrected.invoice.id}`, letter, {
    documentId: corrected.invoice.id,
  });
}

/** Tells that the invoice portal refused to register a document; there is no paper to attach. */
export async function tellOfRefusedDocument(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  refused: { documentId: string; document: DocumentReference; reason: string },
): Promise<void> {
  const letter = texts.documentRefused(refused.document, refused.reason);
  await writeMail(portal, caller, tx, `refused:${refused.documentId}`, letter);
}

/** Tells that a refund has been started, with its refund voucher or credit note where there is one. */
export async function tellOfRefund(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  refund: {
    id: string;
    cycleId: string;
    paymentId: string;
    amountPaise: number;
    reason: string;
    document: Attached | null;
  },
): Promise<void> {
  const letter = texts.refundStarted(await planOf(portal, tx, refund.cycleId), refund);
  await writeMail(
    portal,
    caller,
    tx,
    `refund-started:${refund.id}`,
    letter,
    refund.document ? { documentId: refund.document.id } : {},
  );
}

/** Tells that the money of a refund is out. */
export async function tellOfRefundDone(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  refund: { id: string; cycleId: string; paymentId: string; amountPaise: number },
): Promise<void> {
  await writeMail(
    portal,
    caller,
    tx,
    `refund-done:${refund.id}`,
    texts.refundDone(await planOf(portal, tx, refund.cycleId), refund),
  );
}

async function planOf(portal: Portal, db: Db | Tx, cycleId: string): Promise<texts.PlanNamed> {
  const cycle = await db
    .selectFrom('cycles')
    .select(['activation_id', 'service_id', 'plan'])
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  return namedPlan(portal, cycle);
}

/** A cycle's plan as mails name it. */
export function namedPlan(
  portal: Portal,
  cycle: { activation_id: string; service_id: string; plan: { name: string } },
): texts.PlanNamed {
  return {
    productName: productName(portal.catalog, cycle.service_id),
    planName: cycle.plan.name,
    activationId: cycle.activation_id,
  };
}
