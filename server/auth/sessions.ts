import { randomBytes } from 'node:crypto';
import type { MemberRole } from '#shared/contract/member-roles.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import { sessionIdleMs } from '#shared/domain/session.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** A session ends after 12 hours in any case (product §3.3). */
export const absoluteMs = 12 * 3_600_000;
/** Updates `last_used_at` at most this often, to avoid a write on every read. */
export const touchIntervalMs = 60_000;

/** How long a passkey's proof opens what needs one. */
export const proofMs = 15 * 60_000;

/** Until when what a passkey has confirmed holds; null when nothing does. In the future: the clock went back. */
export function provenUntilOf(provenAt: Date | null, now: number): Date | null {
  const proven = provenAt?.getTime();
  return proven !== undefined && now >= proven && now < proven + proofMs ? new Date(proven + proofMs) : null;
}

/** Who makes a call with a customer's session. */
export interface SignedInMember {
  customerId: string;
  /** The owner for an operator, who sees what the owner sees. */
  memberId: string;
  role: MemberRole;
  /** The session in which a passkey can confirm who it is; an operator who sees as the customer has none. */
  session?: { hash: Buffer; asksPasskey: boolean; provenUntil: Date | null };
}

/**
 * Creates a session and returns its token: 256 random bits, stored only as SHA-256. The database refuses it for somebody who was removed. `from`: the token of the
 * session that it comes from, instead of a sign-in; it ends with that, and is refused when that has ended meanwhile.
 */
export async function createSession(
  db: Db | Tx,
  memberId: string,
  machineClock: Clock,
  from?: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = new Date(machineClock());
  const signedIn = from === undefined ? undefined : await lockSession(db, from);
  await db
    .insertInto('sessions')
    .values({
      token_hash: sha256(token),
      member_id: memberId,
      created_at: signedIn?.created_at ?? now,
      last_used_at: now,
      expires_at: signedIn?.expires_at ?? new Date(now.getTime() + absoluteMs),
    })
    .execute();
  return token;
}

/** Whoever ends sessions waits for it, and then ends those that came from this one too. */
async function lockSession(db: Db | Tx, token: string) {
  const session = await db
    .selectFrom('sessions')
    .select(['created_at', 'expires_at'])
    .where('token_hash', '=', sha256(token))
    .forShare()
    .executeTakeFirst();
  if (!session) throw refuse('unauthorized');
  return session;
}

/** Whose session this token has, with the role of now; undefined when the session is unknown, idle for too long, or expired. */
export async function findSession(db: Db, token: string, machineClock: Clock): Promise<SignedInMember | undefined> {
  if (token === '') return undefined;
  const hash = sha256(token);
  const now = machineClock();
  const session = await db
    .selectFrom('sessions')
    .innerJoin('members', 'members.id', 'sessions.member_id')
    .innerJoin('customers', 'customers.id', 'members.customer_id')
    .select(['customer_id', 'member_id', 'role', 'last_used_at', 'expires_at', 'proven_at', 'two_step'])
    .where('token_hash', '=', hash)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!session) return undefined;
  const idle = now - session.last_used_at.getTime();
  if (isOver(session, now)) {
    // Deleted, so that a later clock change cannot revive it.
    await deleteSession(db, token);
    return undefined;
  }
  if (idle > touchIntervalMs) {
    await db
      .updateTable('sessions')
      .set({ last_used_at: new Date(now) })
      .where('token_hash', '=', hash)
      .execute();
  }
  return {
    customerId: session.customer_id,
    memberId: session.member_id,
    role: session.role,
    session: { hash, asksPasskey: session.two_step, provenUntil: provenUntilOf(session.proven_at, now) },
  };
}

/** Idle for too long, or expired. */
export function isOver(session: { last_used_at: Date; expires_at: Date }, now: number): boolean {
  const idle = now - session.last_used_at.getTime();
  // Last used in the future: the clock went back, so the idle time is unknown.
  const isAhead = idle < -touchIntervalMs;
  return isAhead || idle > sessionIdleMs || now > session.expires_at.getTime();
}

/** Which of these sessions (given as SHA-256 of their tokens) are still valid, and of a role that may; does not count as using them. */
export async function selectLiveSessions(
  db: Db,
  tokenHashes: Buffer[],
  machineClock: Clock,
  roles: readonly MemberRole[],
): Promise<Set<string>> {
  const now = machineClock();
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('members', 'members.id', 'sessions.member_id')
    .select('token_hash')
    .where('token_hash', 'in', tokenHashes)
    .where('removed_at', 'is', null)
    .where('role', 'in', roles)
    .where('expires_at', '>=', new Date(now))
    .where('last_used_at', '>=', new Date(now - sessionIdleMs))
    .execute();
  return new Set(rows.map((row) => row.token_hash.toString('hex')));
}

/** How many sessions of a customer are valid. */
export async function countSessions(db: Db | Tx, customerId: string, machineClock: Clock): Promise<number> {
  const now = machineClock();
  const { live } = await db
    .selectFrom('sessions')
    .innerJoin('members', 'members.id', 'sessions.member_id')
    .select(countRows().as('live'))
    .where('customer_id', '=', customerId)
    .where('expires_at', '>=', new Date(now))
    .where('last_used_at', '>=', new Date(now - sessionIdleMs))
    .executeTakeFirstOrThrow();
  return live;
}

/** Ends every session of the people of a customer for good, in their other customers too, from where they could come back; streams end with them, within a second. */
export async function deleteSessionsOf(tx: Tx, customerId: string): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('member_id', 'in', (query) =>
      query
        .selectFrom('members')
        .innerJoin('members as same', 'same.google_sub', 'members.google_sub')
        .select('same.id')
        .where('members.customer_id', '=', customerId),
    )
    .execute();
}

/** Ends a session for good. */
export async function deleteSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', sha256(token)).execute();
}
