import type { Db } from '#shared/database/connect.ts';
import { sumOf } from '#shared/database/expressions.ts';
import { type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { safeFileName } from '#shared/domain/file-name.ts';
import { quarterOf, tdsSectionOf, type TdsStatus } from '#shared/domain/tds.ts';
import { selectCertificate } from './store.ts';

function selectWithNames(db: Db) {
  return db
    .selectFrom('tds_claims')
    .innerJoin('documents', 'documents.id', 'tds_claims.invoice_id')
    .leftJoin('refunds', 'refunds.id', 'tds_claims.refund_id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .select(['tds_claims.id', 'tds_claims.customer_id', 'tds_claims.cycle_id', 'tds_claims.tan', 'tds_claims.section'])
    .select(['tds_claims.quarter', 'tds_claims.amount_paise', 'tds_claims.declared_on', 'tds_claims.status'])
    .select(['tds_claims.decided_at', 'tds_claims.reason', 'tds_claims.certificate_name', 'certificate_type'])
    .select((document) => document.fn.coalesce('amendments.content', 'documents.content').as('content'))
    .select(['documents.number', 'documents.taxable_paise', 'refunds.payout']);
}

type NamedRow = Awaited<ReturnType<ReturnType<typeof selectWithNames>['execute']>>[number];

function describe(row: NamedRow) {
  return {
    id: row.id,
    status: row.status,
    customerId: row.customer_id,
    customer: row.content.recipient.name,
    gstin: row.content.recipient.gstin,
    invoice: row.number,
    taxablePaise: row.taxable_paise,
    amountPaise: row.amount_paise,
    tan: row.tan,
    section: row.section,
    quarter: row.quarter,
    declaredOn: row.declared_on,
    payout: row.payout,
    decidedOn: row.decided_at === null ? null : dayOf(row.decided_at.getTime()),
    reason: row.reason,
    certificateName: row.certificate_name,
    certificateType: row.certificate_type,
  };
}

/** A claim as the operator reads it. */
export type ListedClaim = ReturnType<typeof describe>;

/** The claims of all customers, oldest first; of one status or all. */
export async function listClaims(db: Db, status?: TdsStatus): Promise<ListedClaim[]> {
  let query = selectWithNames(db);
  if (status !== undefined) query = query.where('tds_claims.status', '=', status);
  return (await query.orderBy('declared_at').orderBy('tds_claims.id').execute()).map(describe);
}

/** The claims that were accepted in some days, or until a day, oldest first; of one customer or all. */
export async function listAccepted(
  db: Db,
  { from, to, customerId }: { from?: Day; to: Day; customerId?: string },
): Promise<ListedClaim[]> {
  let query = selectWithNames(db)
    .where('tds_claims.status', '=', 'ACCEPTED')
    .where('tds_claims.decided_at', '<', new Date(startOfDay(to) + 86_400_000));
  if (from !== undefined) query = query.where('tds_claims.decided_at', '>=', new Date(startOfDay(from)));
  if (customerId !== undefined) query = query.where('tds_claims.customer_id', '=', customerId);
  return (await query.orderBy('decided_at').orderBy('tds_claims.id').execute()).map(describe);
}

/** Tax that was withheld from bank transfers until the end of a day, and for which no certificate was accepted by then, oldest first. */
export async function listWithheld(db: Db, { to }: { to: Day }) {
  const end = new Date(startOfDay(to) + 86_400_000);
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('bank_transfers', 'bank_transfers.payment_id', 'refunds.payment_id')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.payment_id', '=', 'refunds.payment_id')
        .onRef('documents.cycle_id', '=', 'refunds.cycle_id')
        .on('documents.kind', 'in', ['INVOICE', 'RECEIPT_VOUCHER'])
        .on('documents.refers_to', 'is', null),
    )
    .select(['refunds.customer_id', 'refunds.amount_paise', 'bank_transfers.tds_tan'])
    .select((of) => of.fn<Day>('money_came_on', ['refunds.payment_id']).as('came_on'))
    .select(['documents.content', 'documents.taxable_paise'])
    .select((refund) =>
      refund
        .selectFrom('refunds as later')
        .select((of) => {
          // Tax that was paid back is receivable again.
          const paid = of
            .case()
            .when(of.and([of('later.origin', '=', 'TDS'), of('later.payout', '<>', 'WITHHELD')]))
            .then(of.ref('later.amount_paise'))
            .else(0)
            .end();
          return sumOf(of(of.ref('later.withheld_paise'), '-', paid)).as('paise');
        })
        .whereRef('later.cycle_id', '=', 'refunds.cycle_id')
        .where('later.created_at', '<', end)
        .as('reversed_paise'),
    )
    .where('refunds.payout', '=', 'WITHHELD')
    // As in the books.
    .where('refunds.booked_on', '<=', to)
    .where((refund) =>
      refund.not(
        refund.exists(
          refund
            .selectFrom('tds_claims')
            .select('tds_claims.id')
            .whereRef('tds_claims.refund_id', '=', 'refunds.id')
            .where('tds_claims.decided_at', '<', end),
        ),
      ),
    )
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .execute();
  return rows.flatMap((row) => {
    const amountPaise = row.amount_paise - (row.reversed_paise ?? 0);
    if (amountPaise === 0) return [];
    const quarter = quarterOf(row.came_on);
    const about = {
      quarter,
      section: tdsSectionOf(quarter),
      customerId: row.customer_id,
      customer: row.content.recipient.name,
      gstin: row.content.recipient.gstin,
      tan: row.tds_tan ?? '',
      taxablePaise: row.taxable_paise,
      amountPaise,
      isUnproved: true,
    };
    return [about];
  });
}

const extensions = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' } as const;

/** The name of a certificate among other papers. */
export function certificateFileName({
  invoice,
  id,
  certificateType,
}: Pick<ListedClaim, 'invoice' | 'id' | 'certificateType'>): string {
  return safeFileName(`tds-certificate-${invoice}-${id}.${extensions[certificateType]}`);
}

/** The file of a claim's certificate. */
export function readCertificate(db: Db, claimId: string): Promise<Buffer> {
  return selectCertificate(db, claimId);
}
