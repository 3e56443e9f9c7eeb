import type { GivenRole } from '#shared/contract/members.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import { mailboxOf } from '#shared/domain/google-address.ts';
import type { Owner } from '#server/portal.ts';

const memberColumns = [
  'id',
  'customer_id',
  'google_sub',
  'email',
  'name',
  'picture',
  'domain',
  'role',
  'joined_at',
  'daily_limit',
] as const;

/** Members of now, the owner first, then as they joined. */
export function selectMembers(db: Db | Tx, { customerId }: Owner) {
  return db
    .selectFrom('members')
    .select(memberColumns)
    .where('customer_id', '=', customerId)
    .where('removed_at', 'is', null)
    .orderBy((of) => of.case().when('role', '=', 'owner').then(0).else(1).end())
    .orderBy('joined_at')
    .execute();
}

/** Members of now, the owner first, then those of before. */
export function selectPeople(db: Db, { customerId }: Owner) {
  return db
    .selectFrom('members')
    .select(['id', 'name', 'email', 'role', 'google_sub', 'joined_at', 'removed_at'])
    .where('customer_id', '=', customerId)
    .orderBy((of) =>
      of.case().when('removed_at', 'is not', null).then(2).when('role', '=', 'owner').then(0).else(1).end(),
    )
    .orderBy('joined_at')
    .execute();
}

/** A member of now, locked until the end of the transaction; undefined when the customer has no such member. */
export function lockMember(tx: Tx, { customerId }: Owner, memberId: string) {
  return tx
    .selectFrom('members')
    .select(memberColumns)
    .where('customer_id', '=', customerId)
    .where('id', '=', memberId)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** As papers name a customer: by the business details, else as Google names the owner. */
const nameOf = (row: { name: string; legal_name: string | null }): string => row.legal_name ?? row.name;

/** The person behind a membership. */
export function selectPerson(db: Db | Tx, memberId: string) {
  return db
    .selectFrom('members')
    .select(['google_sub', 'email', 'name', 'given_name', 'family_name', 'picture', 'domain'])
    .where('id', '=', memberId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

const invitationColumns = [
  'id',
  'customer_id',
  'email',
  'address',
  'role',
  'former_role',
  'name',
  'asked_at',
  'invited_at',
  'invited_by',
  'starts_at',
  'ends_at',
  'ended_at',
] as const;

export function selectInvitation(db: Db | Tx, id: string) {
  return db.selectFrom('member_invitations').select(invitationColumns).where('id', '=', id).executeTakeFirst();
}

export function lockInvitation(tx: Tx, id: string) {
  return tx
    .selectFrom('member_invitations')
    .select(invitationColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Those that have not ended. */
export function selectOpen(db: Db | Tx, { customerId }: Owner) {
  return db
    .selectFrom('member_invitations')
    .select(invitationColumns)
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** What an address can accept by now, with the name of each customer. */
export async function selectAcceptable(db: Db | Tx, address: string, now: Date) {
  const rows = await db
    .selectFrom('member_invitations as invitation')
    .innerJoin('customers', 'customers.id', 'invitation.customer_id')
    .leftJoin('profiles', 'profiles.customer_id', 'invitation.customer_id')
    .select(['invitation.id', 'invitation.role', 'invitation.ends_at', 'customers.name', 'profiles.legal_name'])
    .where('invitation.address', '=', address)
    .where('invitation.ended_at', 'is', null)
    .where('invitation.starts_at', '<=', now)
    .where('invitation.ends_at', '>', now)
    .orderBy('invitation.id')
    .execute();
  return rows.map((row) => ({ id: row.id, role: row.role, endsAt: row.ends_at, customerName: nameOf(row) }));
}

/** Customers whose people of this Workspace may ask to join, unless the person is a member. */
export async function selectJoinable(
  db: Db | Tx,
  domain: string | null,
  person: { sub: string; address: string },
  now: Date,
) {
  if (domain === null) return [];
  const rows = await db
    .selectFrom('customers')
    .leftJoin('profiles', 'profiles.customer_id', 'customers.id')
    .select(['customers.id', 'customers.name', 'profiles.legal_name'])
    .select((of) =>
      of
        .exists(
          of
            .selectFrom('member_invitations as own')
            .select('own.id')
            .whereRef('own.customer_id', '=', 'customers.id')
            .where('own.address', '=', person.address)
            .where('own.ended_at', 'is', null)
            .where((one) => one.or([one('own.ends_at', 'is', null), one('own.ends_at', '>', now)])),
        )
        .as('hasAsked'),
    )
    .where('join_domain', '=', domain)
    .where('erased_at', 'is', null)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('members')
            .select('members.id')
            .whereRef('members.customer_id', '=', 'customers.id')
            .where('google_sub', '=', person.sub)
            .where('removed_at', 'is', null),
        ),
      ),
    )
    .orderBy('customers.id')
    .limit(20)
    .execute();
  return rows.map((row) => ({ customerId: row.id, customerName: nameOf(row), hasAsked: row.hasAsked === true }));
}

/** How many were sent since: by the customer, by it to the mailbox of an address, and to the address by anybody. */
export async function countInvitations(tx: Tx, { customerId }: Owner, address: string, since: Date) {
  const sent = tx.selectFrom('member_invitations').where('invited_at', '>', since);
  const own = await sent.select('address').where('customer_id', '=', customerId).execute();
  const toAddress = await sent.select(countRows().as('count')).where('address', '=', address).executeTakeFirstOrThrow();
  const mailbox = mailboxOf(address);
  const toMailbox = own.filter((row) => mailboxOf(row.address) === mailbox);
  return { sent: own.length, sentHere: toMailbox.length, received: toAddress.count };
}

/** Whether the address said since that it wants no invitations. */
export async function isSilent(tx: Tx, address: string, since: Date): Promise<boolean> {
  const said = await tx
    .selectFrom('member_invitations')
    .select('id')
    .where('address', '=', address)
    .where('outcome', '=', 'SILENCED')
    .where('ended_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return said !== undefined;
}

export async function endInvitation(
  tx: Tx,
  id: string,
  at: Date,
  outcome: 'ACCEPTED' | 'DECLINED' | 'SILENCED' | 'REVOKED',
  memberId: string | null = null,
): Promise<void> {
  await tx
    .updateTable('member_invitations')
    .set({ ended_at: at, outcome, member_id: memberId })
    .where('id', '=', id)
    .execute();
}

/** Removes a member for good. The database ends the sessions. */
export async function setRemoved(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('members').set({ removed_at: at }).where('id', '=', id).execute();
}

/** Keys in use that a member made or rotated. */
export async function selectKeysMadeBy(db: Db | Tx, { customerId }: Owner, memberId: string) {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'activation_id', 'name', 'hint', 'test'])
    .where('customer_id', '=', customerId)
    .where('made_by', '=', memberId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ id, activation_id: activationId, name: keyName, hint, test: isTest }) => ({
    id,
    activationId,
    keyName,
    hint,
    isTest,
  }));
}

/** Webhooks that a member added. */
export function selectWebhooksMadeBy(db: Db, { customerId }: Owner, memberId: string) {
  return db
    .selectFrom('webhooks')
    .select(['id', 'url'])
    .where('customer_id', '=', customerId)
    .where('made_by', '=', memberId)
    .orderBy('created_at')
    .execute();
}

/** Where the papers of each month go, to an accountant without an account. */
export async function selectAccountantEmail(db: Db, { customerId }: Owner): Promise<string | undefined> {
  const row = await db
    .selectFrom('accountants')
    .select('email')
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row?.email;
}

export async function setRole(tx: Tx, id: string, role: GivenRole | 'owner'): Promise<void> {
  await tx.updateTable('members').set({ role }).where('id', '=', id).execute();
}

export async function setDailyLimit(tx: Tx, id: string, dailyLimit: number | null): Promise<void> {
  await tx.updateTable('members').set({ daily_limit: dailyLimit }).where('id', '=', id).execute();
}

/** What the person is a member of. */
export async function selectCustomersOf(db: Db | Tx, sub: string) {
  const rows = await db
    .selectFrom('members')
    .innerJoin('customers', 'customers.id', 'members.customer_id')
    .leftJoin('profiles', 'profiles.customer_id', 'members.customer_id')
    .select(['members.id', 'members.customer_id', 'members.role', 'customers.name', 'profiles.legal_name'])
    .where('google_sub', '=', sub)
    .where('removed_at', 'is', null)
    .orderBy('members.joined_at')
    .execute();
  return rows.map((row) => ({
    memberId: row.id,
    customerId: row.customer_id,
    customerName: nameOf(row),
    role: row.role,
  }));
}

export async function selectNameOf(db: Db | Tx, { customerId }: Owner) {
  const row = await db
    .selectFrom('customers')
    .leftJoin('profiles', 'profiles.customer_id', 'customers.id')
    .select(['customers.name', 'profiles.legal_name'])
    .where('customers.id', '=', customerId)
    .executeTakeFirstOrThrow();
  return nameOf(row);
}

export async function setJoinDomain(tx: Tx, { customerId }: Owner, domain: string | null): Promise<void> {
  await tx.updateTable('customers').set({ join_domain: domain }).where('id', '=', customerId).execute();
}
