import type { Db } from '#shared/database/connect.ts';
import { type Day, dayOf, laterDay } from '#shared/domain/day.ts';
import { type IssuedDocument, type Recipient, registerStatus } from '#shared/domain/document.ts';
import { findState } from '#shared/domain/states.ts';
import type { Clock } from '#shared/platform/clock.ts';

/** A document with all that its voucher shows. */
export interface PeriodDocument extends IssuedDocument {
  id: string;
  customerId: string;
  irn: string | null;
  cancelled: boolean;
  /** In the register. */
  status: string;
}

/** A customer as a ledger of the books. */
export interface Party extends Recipient {
  /** The name of the ledger. It stays the same when the customer's name changes, so that a later import finds the ledger again. */
  ledger: string;
}

/**
 * The documents that were issued in a span of days, both included, in the order of their issue. What was amended by its last day is as amended, as in
 * GSTR-1; later amendments are in `selectLaterAmended` of their own span.
 */
export async function selectPeriodDocuments(db: Db, from: Day, to: Day): Promise<PeriodDocument[]> {
  const rows = await db
    .selectFrom('documents')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .leftJoin('e_invoice_waits', 'e_invoice_waits.document_id', 'documents.id')
    .leftJoin('amendments', (join) =>
      join.onRef('amendments.document_id', '=', 'documents.id').on('amendments.amended_on', '<=', to),
    )
    .select((document) => document.fn.coalesce('amendments.content', 'documents.content').as('content'))
    .select(['e_invoice_waits.since as waits_since', 'e_invoice_waits.refused_at', 'e_invoice_waits.closed_at'])
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.issued_on', 'documents.customer_id'])
    .select(['e_invoices.irn', 'e_invoices.cancelled_at'])
    .where('documents.issued_on', '>=', from)
    .where('documents.issued_on', '<=', to)
    .orderBy('documents.issued_at')
    .orderBy('documents.kind')
    .orderBy('documents.sequence')
    .execute();
  return rows.map(({ id, kind, number, content, irn, ...row }) => ({
    id,
    kind,
    number,
    issuedOn: row.issued_on,
    content,
    customerId: row.customer_id,
    irn,
    cancelled: row.cancelled_at !== null,
    status: registerStatus(row),
  }));
}

/** The documents of days before a span that were amended in it, both days included. */
export function selectLaterAmended(db: Db, from: Day, to: Day) {
  return db
    .selectFrom('amendments')
    .innerJoin('documents', 'documents.id', 'amendments.document_id')
    .select(['documents.kind', 'documents.number', 'documents.issued_on', 'documents.content as original'])
    .select(['amendments.amended_on', 'amendments.content'])
    .where('amendments.amended_on', '>=', from)
    .where('amendments.amended_on', '<=', to)
    .where('documents.issued_on', '<', from)
    .orderBy('amendments.amended_at')
    .orderBy('documents.id')
    .execute();
}
export type LaterAmended = Awaited<ReturnType<typeof selectLaterAmended>>[number];

/**
 * Customers as ledgers, by id: named after their first document, with the details of the newest sale until a day, as amended by then, so that the same
 * period always gives the same ledgers. Who has no document yet has the details of the business profile.
 */
export async function selectParties(db: Db, customerIds: readonly string[], to: Day): Promise<Map<string, Party>> {
  const rows = await db
    .selectFrom('customers')
    .leftJoin('profiles', 'profiles.customer_id', 'customers.id')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('documents')
          .select((document) => document.ref('content', '->').key('recipient').key('name').as('first_name'))
          .whereRef('documents.customer_id', '=', 'customers.id')
          .orderBy('documents.issued_at')
          .orderBy('documents.id')
          .limit(1)
          .as('first'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('documents')
          .leftJoin('amendments', (join) =>
            join.onRef('amendments.document_id', '=', 'documents.id').on('amendments.amended_on', '<=', to),
          )
          .select((document) => document.fn.coalesce('amendments.content', 'documents.content').as('content'))
          .whereRef('documents.customer_id', '=', 'customers.id')
          // Notes name the buyer of what they follow.
          .where('documents.kind', 'in', ['INVOICE', 'RECEIPT_VOUCHER'])
          .where('documents.issued_on', '<=', to)
          .orderBy('documents.issued_at', 'desc')
          .orderBy('documents.id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .select(['customers.id', 'customers.name', 'first.first_name', 'newest.content', 'profiles.legal_name'])
    .select(['profiles.gstin', 'profiles.address', 'profiles.city', 'profiles.pin', 'profiles.state_code'])
    .select('profiles.country')
    .where('customers.id', 'in', customerIds)
    .orderBy('customers.id')
    .execute();
  return new Map(
    rows.map(({ id, first_name: firstName, content, ...row }) => {
      const recipient = content?.recipient ?? recipientOfProfile(row);
      return [id, { ...recipient, ledger: `${firstName ?? recipient.name} (${id})` }];
    }),
  );
}

/** The details of a business profile, as far as there is one. */
function recipientOfProfile(row: {
  name: string;
  legal_name: string | null;
  gstin: string | null;
  address: string | null;
  city: string | null;
  pin: string | null;
  state_code: string | null;
  country: string | null;
}): Recipient {
  const stateCode = row.state_code ?? '';
  return {
    name: row.legal_name ?? row.name,
    gstin: row.gstin,
    address: row.address ?? '',
    city: row.city ?? '',
    pin: row.pin ?? '',
    stateCode,
    stateName: findState(stateCode)?.name ?? '',
    country: row.country ?? 'IN',
  };
}

/** Today for the books: by the product's clock, and not before the newest entry of the ledger. */
export async function selectToday(db: Db, clock: Clock): Promise<Day> {
  // Before the first entry there is no day.
  const newest = await db.selectFrom('ledger_head').select('posted_at').where('position', '>', 0).executeTakeFirst();
  const posted = newest === undefined ? '' : dayOf(newest.posted_at.getTime());
  return laterDay(dayOf(clock()), posted);
}
