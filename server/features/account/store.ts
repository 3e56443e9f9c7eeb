import type { Profile, User } from '#shared/contract/account.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type MailKind, mailKinds } from '#shared/domain/mail-kind.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import type { Owner } from '#server/portal.ts';

/** The customer, with what Google says of the member. */
export async function selectMember(
  { customerId, memberId }: SignedInMember,
  db: Db | Tx,
): Promise<{ user: User; ownerName: string; hasOthers: boolean }> {
  const owner = await selectUser({ customerId }, db);
  const member = await db
    .selectFrom('members')
    .select(['name', 'email', 'picture', 'given_name', 'family_name'])
    .select((of) =>
      of
        .exists(
          of
            .selectFrom('members as other')
            .select('other.id')
            .whereRef('other.google_sub', '=', 'members.google_sub')
            .where('other.removed_at', 'is', null)
            .where('other.id', '<>', memberId),
        )
        .as('has_others'),
    )
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow();
  const { given_name: givenName, family_name: familyName, has_others: hasOthers, ...rest } = member;
  return {
    user: { id: customerId, ...rest, givenName, familyName },
    ownerName: owner.name,
    hasOthers: Boolean(hasOthers),
  };
}

export async function selectUser(owner: Owner, db: Db | Tx): Promise<User> {
  const customer = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'picture', 'given_name', 'family_name'])
    .where('id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
  const { given_name: givenName, family_name: familyName, ...rest } = customer;
  return { ...rest, givenName, familyName };
}

export async function selectProfile(owner: Owner, db: Db | Tx): Promise<Profile | undefined> {
  const row = await db
    .selectFrom('profiles')
    .select(['legal_name', 'phone', 'gstin', 'address', 'city', 'pin', 'state_code', 'sez', 'country'])
    .select(['purchase_order', 'purchase_order_date'])
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { legal_name: legalName, state_code: stateCode, purchase_order, purchase_order_date, ...rest } = row;
  return {
    legalName,
    stateCode,
    ...rest,
    ...(purchase_order !== null && { purchaseOrder: purchase_order, purchaseOrderDate: purchase_order_date }),
  };
}

export async function upsertProfile(owner: Owner, db: Db | Tx, profile: Profile, now: Date): Promise<void> {
  const { legalName, stateCode, sez = false, country = 'IN', purchaseOrder, purchaseOrderDate, ...rest } = profile;
  const columns = {
    legal_name: legalName,
    state_code: stateCode,
    sez,
    country,
    ...rest,
    purchase_order: purchaseOrder ?? null,
    purchase_order_date: purchaseOrderDate ?? null,
    updated_at: now,
  };
  await db
    .insertInto('profiles')
    .values({ customer_id: owner.customerId, ...columns })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(columns))
    .execute();
}

const known = (kinds: string[]): MailKind[] => mailKinds.filter((each) => kinds.includes(each));

/** Which kinds of mails the member does without, and which it wants beyond what its role gets. */
export async function selectMailChoice({ memberId }: SignedInMember, db: Db | Tx) {
  const { mails_off: off, mails_on: on } = await db
    .selectFrom('members')
    .select(['mails_off', 'mails_on'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow();
  return { mailsOff: known(off), mailsOn: known(on) };
}

export function selectBlock(owner: Owner, db: Db | Tx) {
  return db
    .selectFrom('customers')
    .select(['blocked_at', 'blocked_reason', 'erased_at'])
    .where('id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
}

export async function updateMailChoice(
  { memberId }: SignedInMember,
  db: Db,
  { mailsOff, mailsOn }: { mailsOff: readonly MailKind[]; mailsOn: readonly MailKind[] },
): Promise<void> {
  await db
    .updateTable('members')
    .set({ mails_off: [...new Set(mailsOff)], mails_on: [...new Set(mailsOn)] })
    .where('id', '=', memberId)
    .execute();
}
