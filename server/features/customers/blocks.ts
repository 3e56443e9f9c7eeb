import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { type Day, dayOf, istTime } from '#shared/domain/day.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { happened } from '#server/features/events/events.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** A customer before a block, and what the block concerns. */
export interface BlockFacts {
  customerId: string;
  name: string;
  email: string;
  /** Null when not blocked. */
  blockedSince: Date | null;
  blockedReason: string | null;
  keysInUse: number;
  /** The plans that go on without giving access. */
  runningPlans: { cycleId: string; productId: string; planName: string; toDate: Day }[];
}

export interface BlockResult extends BlockFacts {
  /** Null when every living gateway obeys; otherwise from this moment (ISO 8601) all of them do. */
  effectiveBy: string | null;
}

/** What blocking or unblocking a customer concerns. */
export async function readBlockFacts(db: Db | Tx, customerId: string, today: Day): Promise<BlockFacts> {
  const customer = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'blocked_at', 'blocked_reason', 'erased_at'])
    .where('id', '=', customerId.trim())
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(customerId);
  if (customer.erased_at !== null) throw new OperatorRefusal(`${customer.id} is erased: no key is left to block.`);
  const keys = await db
    .selectFrom('api_keys')
    .select('id')
    .where('customer_id', '=', customer.id)
    .where('revoked_at', 'is', null)
    .execute();
  const cycles = await db
    .selectFrom('cycles')
    .select(['id', 'service_id', 'plan', 'to_date'])
    .where('customer_id', '=', customer.id)
    .where('adds_to', 'is', null)
    .where('status', 'in', accessStatuses)
    .where('from_date', '<=', today)
    .where('to_date', '>', today)
    .execute();
  return {
    customerId: customer.id,
    name: customer.name,
    email: customer.email,
    blockedSince: customer.blocked_at,
    blockedReason: customer.blocked_reason,
    keysInUse: keys.length,
    runningPlans: cycles.map(({ id, service_id, plan, to_date }) => ({
      cycleId: id,
      productId: service_id,
      planName: plan.name,
      toDate: to_date,
    })),
  };
}

/** Throws OperatorRefusal when a customer is blocked. */
export function requireUnblocked(facts: BlockFacts): BlockFacts {
  const { customerId, blockedSince: since, blockedReason } = facts;
  if (since === null) return facts;
  throw new OperatorRefusal(
    `${customerId} is blocked already, since ${istTime(since)}: ${blockedReason}`,
    'nothing_to_change',
  );
}

/** Throws OperatorRefusal when a customer is not blocked. */
export function requireBlocked({ blockedSince, ...facts }: BlockFacts): BlockFacts & { blockedSince: Date } {
  if (blockedSince === null) throw new OperatorRefusal(`${facts.customerId} is not blocked.`, 'nothing_to_change');
  return { ...facts, blockedSince };
}

/**
 * Blocks a customer (product §3.7): returns when every gateway refuses the calls of all keys. Nothing of the customer is changed, so that
 * taking the block away restores everything.
 */
export function blockCustomer(context: OperatorContext, id: string, cause: OperatorCause): Promise<BlockResult> {
  return change(context, id, async (tx, facts, at) => {
    const { customerId } = requireUnblocked(facts);
    const reason = cause.reason.trim();
    const effect = { keysInUse: facts.keysInUse, runningPlans: facts.runningPlans.map(({ cycleId }) => cycleId) };
    await recordAction(tx, { ...cause, reason, action: 'customers.block', target: customerId, customerId, effect });
    await setBlock(tx, customerId, { blocked_at: at, blocked_reason: reason });
    await happened(context, { customerId }, tx, { type: 'account.blocked', customerId, reason, at });
  });
}

/** Takes the block away: calls are admitted by every gateway when it returns, or at `effectiveBy`. */
export function unblockCustomer(context: OperatorContext, id: string, cause: OperatorCause): Promise<BlockResult> {
  return change(context, id, async (tx, facts, at) => {
    const { customerId, blockedSince: since } = requireBlocked(facts);
    const reason = cause.reason.trim();
    const effect = { since: since.toISOString(), blockedFor: facts.blockedReason };
    await recordAction(tx, { ...cause, reason, action: 'customers.unblock', target: customerId, customerId, effect });
    await setBlock(tx, customerId, { blocked_at: null, blocked_reason: null });
    await happened(context, { customerId }, tx, { type: 'account.unblocked', customerId, reason, at, since });
  });
}

async function change(
  context: OperatorContext,
  id: string,
  work: (tx: Tx, facts: BlockFacts, at: Date) => Promise<void>,
): Promise<BlockResult> {
  const at = new Date(context.clock());
  const { result, effectiveBy } = await changeAccess(context, async (access) => {
    const { tx } = access;
    // Nothing is bought or activated for the customer while this lock is held.
    await tx.selectFrom('customers').select('id').where('id', '=', id.trim()).forUpdate().execute();
    const facts = await readBlockFacts(tx, id, dayOf(at.getTime()));
    await work(tx, facts, at);
    const activations = await tx
      .selectFrom('activations')
      .select('id')
      .where('customer_id', '=', facts.customerId)
      .where('deleted_at', 'is', null)
      .execute();
    for (const activation of activations) access.announce(activation.id);
    return facts;
  });
  return { ...result, effectiveBy };
}

async function setBlock(
  tx: Tx,
  customerId: string,
  block: { blocked_at: Date | null; blocked_reason: string | null },
): Promise<void> {
  await tx.updateTable('customers').set(block).where('id', '=', customerId).execute();
}
