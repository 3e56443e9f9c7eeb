import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import type { OperatorRole } from '#shared/contract/operator/roles.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { sumOf } from '#shared/database/expressions.ts';
import { dayOf, startOfDay } from '#shared/domain/day.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { type CallerKey, claimKey } from './idempotency-keys.ts';

/** Who acts in a request over HTTP. The command acts without: whoever has the machine is an owner. */
export interface ActingOperator {
  requestId: string;
  operatorId: string;
  /** When the request began. */
  role: OperatorRole;
  /** The token with which a program acts for the operator. */
  tokenId: string | undefined;
  /** SHA-256 of the token of the session; a program has none. */
  sessionHash?: Buffer | undefined;
  mayStill: (role: OperatorRole) => boolean;
  key: CallerKey | undefined;
  at: Date;
  /** Of an action that moves money. */
  money?: Money;
}

interface Approval {
  id: string;
  mayAsk: (role: OperatorRole) => boolean;
  actor: string;
  reason: string;
}

interface Money {
  customerId: string;
  paise: number;
  /** What one person may decide for a customer on a day; undefined: anything. */
  limitPaise: number | undefined;
  /** The request of another operator that this one approves, and why. */
  approval?: Approval;
}

/** More money than one person may decide: the action was not done. */
export class NeedsApproval extends Error {}

const storage = new AsyncLocalStorage<ActingOperator>();

/** Does the work of an action; each of its entries in the audit log is written for this operator. */
export const actingAs = <Result>(operator: ActingOperator, work: () => Promise<Result>): Promise<Result> =>
  storage.run(operator, work);

export const actingOperator = (): ActingOperator | undefined => storage.getStore();

/**
 * In the transaction of the effect: whoever was removed, or got another role, since the request began does nothing more. The locks make a
 * removal wait for this transaction, and others who move money of the same customer. `movedPaise`: what the effect moves.
 */
export async function requireStillAllowed(
  tx: Tx,
  acting: ActingOperator,
  movedPaise: number | undefined,
): Promise<void> {
  const { operatorId, tokenId, mayStill, money } = acting;
  const operator = await tx
    .selectFrom('operators')
    .select('role')
    .where('id', '=', operatorId)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  if (!operator) throw refuse('unauthorized');
  if (!mayStill(operator.role)) throw refuse('forbidden');
  if (tokenId !== undefined && !(await isTokenValid(tx, tokenId))) throw refuse('unauthorized');
  await claimKey(tx, acting);
  if (money === undefined) return;
  if (movedPaise === undefined) throw new Error('an action that moves money does not say how much');
  // The preview that allowed the amount was of another transaction.
  if (movedPaise > money.paise)
    throw new OperatorRefusal(
      `It would now be ${formatRupees(movedPaise)} instead of ${formatRupees(money.paise)}. Nothing was done: try again.`,
    );
  await sql`select pg_advisory_xact_lock(hashtextextended('money of ' || ${money.customerId}, 0))`.execute(tx);
  await (money.approval === undefined ? requireWithinLimit(tx, acting) : requireAskedFor(tx, money.approval));
}

/** Locked, so that revoking it waits for this transaction. */
async function isTokenValid(tx: Tx, tokenId: string): Promise<boolean> {
  const token = await tx
    .selectFrom('operator_tokens')
    .select('id')
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return token !== undefined;
}

/** What is approved waits, and is asked for by somebody who may do it; an action that moves money has one entry. */
async function requireAskedFor(tx: Tx, { id, mayAsk }: Approval): Promise<void> {
  const { state, email, role, removed_at, token_id } = await tx
    .selectFrom('approvals')
    .innerJoin('operators', 'operators.id', 'requested_by')
    .select(['state', 'email', 'role', 'removed_at', 'token_id'])
    .where('approvals.id', '=', id)
    .forUpdate('approvals')
    .forShare('operators')
    .executeTakeFirstOrThrow();
  if (state !== 'WAITING') throw refuse('already_done');
  if (removed_at !== null || !mayAsk(role)) throw mayNotAnyMore(email);
  if (token_id !== null && !(await isTokenValid(tx, token_id))) throw tokenIsRevoked();
}

export const mayNotAnyMore = (email: string): OperatorRefusal =>
  new OperatorRefusal(`${email} may not do this any more. Decline it.`);

export const tokenIsRevoked = (): OperatorRefusal =>
  new OperatorRefusal('The token that asked for this is revoked. Decline it.');

/** Throws NeedsApproval when the amount, with what was moved today and what waits, is more than one person may decide. */
export async function requireWithinLimit(db: Db | Tx, { requestId, at, money }: ActingOperator): Promise<void> {
  if (money?.limitPaise === undefined || money.paise === 0) return;
  const { customerId, paise, limitPaise } = money;
  const moved = await db
    .selectFrom('operator_requests as request')
    .innerJoin('operator_actions as action', 'action.position', 'request.position')
    .select((of) => sumOf(of.ref('amount_paise')).as('paise'))
    .where('customer_id', '=', customerId)
    .where('made_at', '>=', new Date(startOfDay(dayOf(at.getTime()))))
    .where('request_id', '<>', requestId)
    .executeTakeFirstOrThrow();
  const waiting = await db
    .selectFrom('approvals')
    .select((of) => sumOf(of.ref('amount_paise')).as('paise'))
    .where('customer_id', '=', customerId)
    .where('state', '=', 'WAITING')
    .executeTakeFirstOrThrow();
  if (moved.paise + waiting.paise + paise > limitPaise) throw new NeedsApproval();
}

/** Beside the entry in the audit log: what the request did. Returns the request of another operator that it approved. */
export async function recordRequest(tx: Tx, acting: ActingOperator, position: number): Promise<Approval | undefined> {
  const { requestId: request_id, operatorId: operator_id, money, at } = acting;
  const recorded = await tx
    .insertInto('operator_requests')
    .values({
      request_id,
      operator_id,
      position,
      amount_paise: money?.paise ?? null,
      made_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('request_id')
    .executeTakeFirst();
  // An action may have several entries.
  if (recorded === undefined || money?.approval === undefined) return undefined;
  await tx
    .updateTable('approvals')
    .set({ state: 'DONE', approved_by: operator_id, decided_at: at })
    .where('id', '=', money.approval.id)
    .execute();
  return money.approval;
}
