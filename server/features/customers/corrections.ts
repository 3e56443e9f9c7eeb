import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Profile, profileSchema } from '#shared/contract/account.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { lastCreditNoteDay, type Recipient } from '#shared/domain/document.ts';
import { maskedGstin } from '#shared/domain/masked-gstin.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { profileFaults, readProfile, storeCorrected } from '#server/features/account/account.ts';
import { askAboutBuyer, type Correction } from '#server/features/documents/documents.ts';
import { correctInvoice, previewCorrection } from '#server/features/refunds/refunds.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** A customer's corrected GSTIN, and the invoices that name another one. */
type GstinChange = OperatorReply<'changeGstin'>;

type DetailsChange = OperatorReply<'changeDetails'>;
type Details = DetailsChange['details'];

/** The customer's business details with a change. Throws OperatorRefusal when they are faulty then. */
async function withChange(
  { settings }: OperatorContext,
  db: Db | Tx,
  customerId: string,
  change: Partial<Details & Pick<Profile, 'gstin'>>,
) {
  const owner = { customerId: customerId.trim() };
  const profile = await readProfile(owner, db);
  if (!profile) {
    const isKnown = await db.selectFrom('customers').select('id').where('id', '=', owner.customerId).executeTakeFirst();
    if (!isKnown) throw noSuchCustomer(customerId);
    throw new OperatorRefusal(`${owner.customerId} has no business details.`);
  }
  const changed = { ...profile, ...change };
  if (isDeepStrictEqual(changed, profile))
    throw new OperatorRefusal(`The business details of ${owner.customerId} say so already.`, 'nothing_to_change');
  // Whether a GSTIN is of an SEZ decides the tax; the GST portal is asked when the customer saves it.
  if (changed.gstin !== profile.gstin && profile.sez === true)
    throw new OperatorRefusal(
      'The customer claims to be in a Special Economic Zone, and has to save the GSTIN itself.',
    );
  const parsed = profileSchema.safeParse(changed);
  if (!parsed.success) throw new OperatorRefusal(z.prettifyError(parsed.error), 'invalid_request');
  const [fault] = profileFaults(changed, settings.supplierGstin);
  if (fault)
    throw new OperatorRefusal(
      `${fault.message} (${fault.pointer.slice(1)}). The customer can change all details together.`,
    );
  return { owner, before: profile, changed };
}

const masked = (gstin: string | null) => gstin && maskedGstin(gstin);

/** Throws OperatorRefusal when the GST portal says that invoices can't name the GSTIN. */
async function requireActiveGstin(context: OperatorContext, gstin: string | null): Promise<void> {
  const { refusal } = await askAboutBuyer(context, { gstin });
  if (refusal === undefined) return;
  throw new OperatorRefusal(
    refusal === 'gstin_unknown'
      ? `The GST portal does not know ${gstin ?? ''}.`
      : `The GST portal says that ${gstin ?? ''} is cancelled or suspended.`,
  );
}

/** What a corrected GSTIN would concern. */
export async function previewGstin(
  context: OperatorContext,
  customerId: string,
  gstin: string | null,
): Promise<GstinChange> {
  const { owner, before } = await withChange(context, context.db, customerId, { gstin });
  await requireActiveGstin(context, gstin);
  return {
    ...owner,
    legalName: before.legalName,
    before: before.gstin,
    gstin,
    invoices: await otherInvoices(context, context.db, owner.customerId, gstin),
  };
}

/**
 * Corrects the GSTIN in a customer's business details. Documents from now on name it; those that were issued stay as they are until each is
 * corrected, because a correction may be an amendment or a credit note (product §6.8).
 */
export async function changeGstin(
  context: OperatorContext,
  customerId: string,
  gstin: string | null,
  cause: OperatorCause,
): Promise<GstinChange> {
  await withChange(context, context.db, customerId, { gstin });
  await requireActiveGstin(context, gstin);
  return transaction(context.db, async (tx) => {
    await tx.selectFrom('customers').select('id').where('id', '=', customerId.trim()).forUpdate().execute();
    const { owner, before, changed } = await withChange(context, tx, customerId, { gstin });
    await storeCorrected(owner, tx, changed, new Date(context.clock()));
    const invoices = await otherInvoices(context, tx, owner.customerId, gstin);
    // An erasure can't take a GSTIN out of the audit log.
    const effect = {
      before: masked(before.gstin),
      after: masked(gstin),
      otherInvoices: invoices.map(({ number }) => number),
    };
    await recordAction(tx, { ...cause, action: 'customers.gstin', target: owner.customerId, ...owner, effect });
    return { ...owner, legalName: before.legalName, before: before.gstin, gstin, invoices };
  });
}

/** Invoices of a customer that can still be corrected, with the buyer whom each names. */
async function correctableInvoices({ settings, clock }: OperatorContext, db: Db | Tx, customerId: string) {
  const rows = await db
    .selectFrom('current_papers as paper')
    .innerJoin('documents', 'documents.id', 'paper.document_id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .select(['documents.number', 'documents.issued_on', 'documents.content', 'amendments.content as amended'])
    .where('paper.customer_id', '=', customerId)
    .where('paper.kind', '=', 'INVOICE')
    .orderBy('documents.issued_at')
    .orderBy('documents.number')
    .execute();
  const today = dayOf(clock());
  return rows
    .filter(({ content }) => today <= lastCreditNoteDay(content.item.fromDate, settings.lastNoteDay))
    .map(({ number, issued_on: issuedOn, content, amended }) => ({
      number,
      issuedOn,
      buyer: (amended ?? content).recipient,
    }));
}

async function otherInvoices(context: OperatorContext, db: Db | Tx, customerId: string, gstin: string | null) {
  return (await correctableInvoices(context, db, customerId))
    .filter(({ buyer }) => buyer.gstin !== gstin)
    .map(({ buyer, ...invoice }) => ({ ...invoice, gstin: buyer.gstin }));
}

const detailsOf = ({ legalName, address, city, pin }: Profile): Details => ({ legalName, address, city, pin });

async function detailsChange(
  context: OperatorContext,
  db: Db | Tx,
  { owner, before, changed }: Awaited<ReturnType<typeof withChange>>,
): Promise<DetailsChange> {
  const details = detailsOf(changed);
  const invoices = (await correctableInvoices(context, db, owner.customerId))
    .filter(
      ({ buyer: { name: legalName, address, city, pin } }) =>
        !isDeepStrictEqual({ legalName, address, city, pin }, details),
    )
    .map(({ buyer, ...invoice }) => ({ ...invoice, name: buyer.name }));
  return { ...owner, before: detailsOf(before), details, invoices };
}

/** What a corrected name or address would concern. */
export async function previewDetails(
  context: OperatorContext,
  customerId: string,
  change: Partial<Details>,
): Promise<DetailsChange> {
  return detailsChange(context, context.db, await withChange(context, context.db, customerId, change));
}

/** Corrects name or address in a customer's business details, as `changeGstin` does the GSTIN. */
export function changeDetails(
  context: OperatorContext,
  customerId: string,
  change: Partial<Details>,
  cause: OperatorCause,
): Promise<DetailsChange> {
  return transaction(context.db, async (tx) => {
    await tx.selectFrom('customers').select('id').where('id', '=', customerId.trim()).forUpdate().execute();
    const made = await withChange(context, tx, customerId, change);
    const { owner, changed } = made;
    await storeCorrected(owner, tx, changed, new Date(context.clock()));
    const reply = await detailsChange(context, tx, made);
    // An erasure can't take a name or an address out of the audit log.
    const effect = { changed: Object.keys(change), otherInvoices: reply.invoices.map(({ number }) => number) };
    await recordAction(tx, { ...cause, action: 'customers.details', target: owner.customerId, ...owner, effect });
    return reply;
  });
}

/** An invoice whose buyer is corrected to the business details of today. */
export interface InvoiceCorrection extends Correction {
  number: string;
  customerId: string;
  before: Pick<Recipient, 'name' | 'gstin'>;
}

async function findInvoice(db: Db, number: string) {
  const found = await db
    .selectFrom('documents')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .select([
      'documents.id',
      'documents.number',
      'documents.customer_id',
      'documents.content',
      'amendments.content as amended',
    ])
    .where('documents.number', '=', number.trim())
    .executeTakeFirst();
  if (!found) throw new OperatorRefusal(`There is no document ${number}.`, 'not_found');
  const { name, gstin } = (found.amended ?? found.content).recipient;
  return { id: found.id, number: found.number, customerId: found.customer_id, before: { name, gstin } };
}

/** Refusals of the portal speak to the customer whose call it is. */
async function sayRefusal<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof Refusal ? new OperatorRefusal(error.message) : error;
  });
}

export async function previewInvoiceCorrection(
  context: OperatorContext,
  number: string,
  cause: OperatorCause,
): Promise<InvoiceCorrection> {
  const { id, ...invoice } = await findInvoice(context.db, number);
  return { ...invoice, ...(await sayRefusal(previewCorrection(context, invoice, id, cause))) };
}

/** Corrects the buyer of an invoice to the business details, as its customer can on the Billing Portal (product §6.8). */
export async function correctInvoiceOf(
  context: OperatorContext,
  number: string,
  cause: OperatorCause,
): Promise<InvoiceCorrection> {
  const { id, ...invoice } = await findInvoice(context.db, number);
  const { customerId } = invoice;
  const correction = correctInvoice(
    context,
    { customerId },
    id,
    cause,
    async (tx, { creditNote, invoice: { number: by }, refundPaise }) => {
      const effect = { invoice: by, creditNote: creditNote?.number ?? null, refundPaise };
      const entry = { action: 'documents.correct', target: invoice.number, customerId, effect } as const;
      await recordAction(tx, { ...cause, ...entry, paise: refundPaise });
    },
  );
  return { ...invoice, ...(await sayRefusal(correction)) };
}
