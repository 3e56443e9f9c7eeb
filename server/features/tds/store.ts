import type { Selectable } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import type { Day } from '#shared/domain/day.ts';
import type { LetterType } from '#shared/domain/tax-claim.ts';
import type { Quarter, TdsSection } from '#shared/domain/tds.ts';
import type { Owner } from '#server/portal.ts';

type ClaimRow = Omit<Selectable<Tables['tds_claims']>, 'certificate'>;

const claimColumns = [
  'id',
  'customer_id',
  'cycle_id',
  'invoice_id',
  'tan',
  'section',
  'quarter',
  'amount_paise',
  'certificate_name',
  'certificate_type',
  'certificate_bytes',
  'certificate_sha256',
  'declared_on',
  'declared_at',
  'status',
  'decided_at',
  'reason',
  'refund_id',
] as const;

/** The owner's paid cycles with an invoice that can have tax deducted at source: to a GSTIN, or less what was withheld from a transfer; of one cycle or all. */
export function selectInvoiced(owner: Owner, db: Db | Tx, cycleId?: string) {
  let query = db
    .selectFrom('current_papers')
    .innerJoin('documents', 'documents.id', 'current_papers.document_id')
    .innerJoin('cycles', 'cycles.id', 'current_papers.cycle_id')
    .select(['cycles.id as cycle_id', 'cycles.status', 'cycles.activation_id'])
    .select((of) => of.fn<Day | null>('cycle_money_came_on', ['cycles.id']).as('came_on'))
    .select(['documents.id as invoice_id', 'documents.number', 'documents.taxable_paise'])
    .where('cycles.customer_id', '=', owner.customerId)
    .where('cycles.paid_at', 'is not', null)
    .where('documents.kind', '=', 'INVOICE')
    .where((document) =>
      document.or([
        document(document.ref('documents.content', '->>').key('recipient').key('gstin'), 'is not', null),
        document.exists(
          document
            .selectFrom('refunds')
            .select('refunds.id')
            .whereRef('refunds.cycle_id', '=', 'cycles.id')
            .where('refunds.payout', '=', 'WITHHELD'),
        ),
      ]),
    );
  if (cycleId !== undefined) query = query.where('cycles.id', '=', cycleId);
  return query.execute();
}

/** The owner's claims without their certificates, oldest first; of one cycle or all. */
export function selectClaims(owner: Owner, db: Db | Tx, cycleId?: string): Promise<ClaimRow[]> {
  let query = db.selectFrom('tds_claims').select(claimColumns).where('customer_id', '=', owner.customerId);
  if (cycleId !== undefined) query = query.where('cycle_id', '=', cycleId);
  return query.orderBy('declared_at').orderBy('id').execute();
}

/** What the owner withheld from bank transfers, by cycle; of all, or of one. */
export async function selectWithheld(owner: Owner, db: Db | Tx, cycleId?: string): Promise<Map<string, number>> {
  let query = db
    .selectFrom('refunds')
    .select(['cycle_id', 'amount_paise'])
    .where('customer_id', '=', owner.customerId)
    .where('payout', '=', 'WITHHELD');
  if (cycleId !== undefined) query = query.where('cycle_id', '=', cycleId);
  return new Map((await query.execute()).map(({ cycle_id: id, amount_paise: paise }) => [id, paise]));
}

export async function ownsCycle(owner: Owner, db: Db | Tx, cycleId: string): Promise<boolean> {
  const row = await db
    .selectFrom('cycles')
    .select('id')
    .where('id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Inserts a claim. False when one of the cycle waits or was accepted. */
export async function insertClaim(
  owner: Owner,
  tx: Tx,
  claim: {
    id: string;
    cycleId: string;
    invoiceId: string;
    tan: string;
    section: TdsSection;
    quarter: Quarter;
    amountPaise: number;
    name: string;
    type: LetterType;
    certificate: Buffer;
    sha256: Buffer;
    on: string;
    now: Date;
  },
): Promise<boolean> {
  const row = await tx
    .insertInto('tds_claims')
    .values({
      id: claim.id,
      customer_id: owner.customerId,
      cycle_id: claim.cycleId,
      invoice_id: claim.invoiceId,
      tan: claim.tan,
      section: claim.section,
      quarter: claim.quarter,
      amount_paise: claim.amountPaise,
      certificate_name: claim.name,
      certificate_type: claim.type,
      certificate_bytes: claim.certificate.length,
      certificate: claim.certificate,
      certificate_sha256: claim.sha256,
      declared_on: claim.on,
      declared_at: claim.now,
      decided_at: null,
      reason: null,
      refund_id: null,
    })
    .onConflict((conflict) => conflict.column('cycle_id').where('status', '<>', 'REFUSED').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The certificate of a claim, by the claim's id alone: the caller has found the claim before. */
export async function selectCertificate(db: Db, claimId: string): Promise<Buffer> {
  const { certificate } = await db
    .selectFrom('tds_claims')
    .select('certificate')
    .where('id', '=', claimId)
    .executeTakeFirstOrThrow();
  return certificate;
}

/** A claim and its cycle's activation, for the operator, who has no customer. */
export function selectClaim(db: Db | Tx, claimId: string) {
  return db
    .selectFrom('tds_claims')
    .innerJoin('cycles', 'cycles.id', 'tds_claims.cycle_id')
    .innerJoin('documents', 'documents.id', 'tds_claims.invoice_id')
    .select(claimColumns.map((column) => `tds_claims.${column}` as const))
    .select(['cycles.activation_id', 'cycles.status as cycle_status', 'documents.number'])
    .where('tds_claims.id', '=', claimId)
    .executeTakeFirst();
}

/** Decides a claim. False when it is decided already. */
export async function updateClaim(
  tx: Tx,
  claimId: string,
  change: Pick<ClaimRow, 'status' | 'decided_at' | 'reason' | 'refund_id'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tds_claims')
    .set(change)
    .where('id', '=', claimId)
    .where('status', '=', 'WAITING')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
