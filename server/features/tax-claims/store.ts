import type { Db, Tx } from '#shared/database/connect.ts';
import type { LetterType, TaxClaim } from '#shared/domain/tax-claim.ts';
import type { Owner } from '#server/portal.ts';

/** The owner's declaration for a claim that was not withdrawn, without its letter. */
export function selectDeclared(owner: Owner, db: Db | Tx, { kind, about }: TaxClaim) {
  return db
    .selectFrom('tax_claims')
    .select(['id', 'declared_on', 'letter_name', 'letter_type', 'letter_bytes'])
    .where('customer_id', '=', owner.customerId)
    .where('kind', '=', kind)
    .where('about', '=', about)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
}

/** Whether the owner has stored as many letters as a customer can; the database refuses another one (trigger `letters_are_few`). */
export async function hasTooManyLetters(owner: Owner, tx: Tx, now: Date): Promise<boolean> {
  const { found } = await tx
    .selectNoFrom((select) =>
      select.fn<boolean>('has_too_many_letters', [select.val(owner.customerId), select.val(now)]).as('found'),
    )
    .executeTakeFirstOrThrow();
  return found;
}

export async function selectLetter(owner: Owner, db: Db, id: string): Promise<Buffer> {
  const { letter } = await db
    .selectFrom('tax_claims')
    .select('letter')
    .where('id', '=', id)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
  return letter;
}

export async function insertClaim(
  owner: Owner,
  tx: Tx,
  claim: TaxClaim & {
    id: string;
    on: string;
    now: Date;
    name: string;
    type: LetterType;
    letter: Buffer;
    sha256: Buffer;
  },
): Promise<void> {
  await tx
    .insertInto('tax_claims')
    .values({
      id: claim.id,
      customer_id: owner.customerId,
      kind: claim.kind,
      about: claim.about,
      declared_on: claim.on,
      declared_at: claim.now,
      letter_name: claim.name,
      letter_type: claim.type,
      letter_bytes: claim.letter.length,
      letter: claim.letter,
      letter_sha256: claim.sha256,
      withdrawn_at: null,
    })
    .execute();
}

/** Withdraws the declaration for a claim; false if there was no declaration. */
export async function withdraw(owner: Owner, db: Db | Tx, { kind, about }: TaxClaim, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tax_claims')
    .set({ withdrawn_at: now })
    .where('customer_id', '=', owner.customerId)
    .where('kind', '=', kind)
    .where('about', '=', about)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
