import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '#shared/database/connect.ts';
import { sessionIdleMs } from '#shared/domain/session.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { policyOf } from '#shared/policies/policies.ts';
import { sha256 } from '#server/crypto/ids.ts';

/** The database refuses a longer one. */
export const viewMs = 30 * 60_000;

/** An operator sees the portal as a customer does. */
export interface View {
  /** SHA-256 of its token. */
  hash: Buffer;
  customerId: string;
  /** The owner, as whom the operator sees it. */
  memberId: string;
  customer: string;
  operatorId: string;
  operator: string;
  until: Date;
}

/** Begins a view in an operator's session, and returns its token. */
export async function createView(tx: Tx, customerId: string, sessionHash: Buffer, at: Date): Promise<string> {
  const token = `octv_${randomBytes(32).toString('base64url')}`;
  await tx
    .insertInto('operator_views')
    .values({
      token_hash: sha256(token),
      session_hash: sessionHash,
      customer_id: customerId,
      created_at: at,
      expires_at: new Date(at.getTime() + viewMs),
    })
    .execute();
  return token;
}

/** Views that go on: their operator is signed in, and has by now a role that may see as a customer. */
function selectViews(db: Db, machineClock: Clock) {
  const now = machineClock();
  return db
    .selectFrom('operator_views as view')
    .innerJoin('operator_sessions as session', 'session.token_hash', 'view.session_hash')
    .innerJoin('operators', 'operators.id', 'session.operator_id')
    .innerJoin('customers', 'customers.id', 'view.customer_id')
    .innerJoin('members', (join) =>
      join
        .onRef('members.customer_id', '=', 'customers.id')
        .on('members.role', '=', 'owner')
        .on('members.removed_at', 'is', null),
    )
    .where('view.created_at', '<=', new Date(now))
    .where('view.expires_at', '>', new Date(now))
    .where('session.expires_at', '>=', new Date(now))
    .where('session.last_used_at', '>=', new Date(now - sessionIdleMs))
    .where('operators.removed_at', 'is', null)
    .where('operators.role', 'in', policyOf('seeAsCustomer').roles)
    .where('customers.erased_at', 'is', null);
}

/** The view with this token; undefined when it is unknown or over. */
export async function findView(db: Db, token: string, machineClock: Clock): Promise<View | undefined> {
  if (token === '') return undefined;
  const hash = sha256(token);
  const found = await selectViews(db, machineClock)
    .select([
      'view.customer_id as customerId',
      'members.id as memberId',
      'customers.name as customer',
      'view.expires_at as until',
    ])
    .select(['operators.id as operatorId', 'operators.email as operator'])
    .where('view.token_hash', '=', hash)
    .executeTakeFirst();
  return found && { hash, ...found };
}

/** Which of these views (given as SHA-256 of their tokens) go on. */
export async function selectLiveViews(db: Db, tokenHashes: Buffer[], machineClock: Clock): Promise<Set<string>> {
  const rows = await selectViews(db, machineClock)
    .select('view.token_hash')
    .where('view.token_hash', 'in', tokenHashes)
    .execute();
  return new Set(rows.map((row) => row.token_hash.toString('hex')));
}

export async function deleteView(db: Db, hash: Buffer): Promise<void> {
  await db.deleteFrom('operator_views').where('token_hash', '=', hash).execute();
}
