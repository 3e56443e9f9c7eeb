import { sql } from 'kysely';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Identity } from '#server/auth/google.ts';
import { newId, sha256 } from '#server/crypto/ids.ts';

/** What Google says of a person. */
export type Person = Omit<Identity, 'nonce'>;

/** A person who signed in, in the customer of the last choice. */
export interface Entered {
  memberId: string;
  customerId: string;
}

/** Puts what Google now says of a person into every membership, and finds the one that was chosen last; undefined for a person of no customer. */
export async function enterLast(tx: Tx, identity: Person, now: Date): Promise<Entered | undefined> {
  const present = await tx
    .updateTable('members')
    .set(shownOf(identity))
    .where('google_sub', '=', identity.sub)
    .where('removed_at', 'is', null)
    .returning(['id', 'customer_id', 'opened_at'])
    .execute();
  // Whoever left a Workspace no longer lets its people ask.
  await tx
    .updateTable('customers')
    .set({ join_domain: null })
    .where('join_domain', 'is distinct from', identity.domain ?? null)
    .where('join_domain', 'is not', null)
    .where((of) =>
      of(
        'id',
        'in',
        of
          .selectFrom('members')
          .select('customer_id')
          .where('google_sub', '=', identity.sub)
          .where('role', '=', 'owner')
          .where('removed_at', 'is', null),
      ),
    )
    .execute();
  const [last] = present.toSorted((one, other) => other.opened_at.getTime() - one.opened_at.getTime());
  if (last === undefined) return undefined;
  await open(tx, last.id, now);
  return { memberId: last.id, customerId: last.customer_id };
}

export const founderOf = ({ sub }: Pick<Person, 'sub'>): Buffer => sha256(`founder ${sub}`);

/** Whether the person has founded a customer, passed on since, or left by its removal. */
export async function hasFounded(tx: Db | Tx, person: Pick<Person, 'sub'>): Promise<boolean> {
  const found = await tx
    .selectFrom('customers')
    .select('id')
    .where('founded_by', '=', founderOf(person))
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether the person owns a customer that is blocked. */
export async function ownsBlocked(tx: Tx, sub: string): Promise<boolean> {
  const row = await tx
    .selectFrom('members')
    .innerJoin('customers', 'customers.id', 'members.customer_id')
    .select('members.id')
    .where('google_sub', '=', sub)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .where('blocked_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes a customer whose owner the person is. Two first sign-ins at once wait for each other with `holdPerson`. */
export async function found(tx: Tx, identity: Person, now: Date): Promise<Entered> {
  const customerId = newId('CUS');
  const { domain: _domain, ...contact } = shownOf(identity);
  await tx
    .insertInto('customers')
    .values({ id: customerId, created_at: now, founded_by: founderOf(identity), ...contact })
    .execute();
  return { customerId, memberId: await join(tx, identity, { customerId, role: 'owner' }, now) };
}

/** Until the end of the transaction no other sign-in of the person makes a customer. */
export async function holdPerson(tx: Tx, { sub }: Pick<Person, 'sub'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`person ${sub}`}, 0))`.execute(tx);
}

export async function join(
  tx: Tx,
  identity: Person,
  { customerId, role }: { customerId: string; role: MemberRole },
  now: Date,
): Promise<string> {
  const id = newId('MEM');
  await tx
    .insertInto('members')
    .values({
      id,
      customer_id: customerId,
      google_sub: identity.sub,
      ...shownOf(identity),
      role,
      joined_at: now,
      opened_at: now,
      removed_at: null,
    })
    .execute();
  return id;
}

export async function open(tx: Tx, memberId: string, now: Date): Promise<void> {
  await tx.updateTable('members').set({ opened_at: now }).where('id', '=', memberId).execute();
}

const shownOf = (identity: Person) => ({
  email: identity.email,
  name: identity.name,
  given_name: identity.givenName,
  family_name: identity.familyName,
  picture: identity.picture,
  domain: identity.domain ?? null,
});
