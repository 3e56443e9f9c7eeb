import { z } from 'zod';
import type { RecordedAction } from '#shared/contract/operator/actions.ts';
import type { CustomerAction, ProviderAction } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { MoneyAction } from '#shared/policies/policies.ts';
import { actingOperator, recordRequest, requireStillAllowed } from './acting-operator.ts';

/** Who acts for the provider, and why. Both stay in the audit log for good. */
export interface OperatorCause {
  actor: string;
  /** The customer whom the action concerns reads it. */
  reason: string;
}

/** Who acts in a restore. */
export const restoreActor = 'octroi restore';

/** What an operator did, and whom it concerns; `paise`: what it gives back to the customer. */
type Entry = OperatorCause & {
  /** The id of what it was done to. */
  target: string;
  effect: object;
} & (
    | { action: MoneyAction; customerId: string; paise: number }
    | { action: Exclude<CustomerAction, MoneyAction>; customerId: string }
    | { action: ProviderAction; customerId: null }
  );

/**
 * Before an effect outside, which no rollback undoes: afterwards `recordAction` in the same transaction finds the same right, as it is locked.
 */
export async function requireAllowed(tx: Tx, paise: number): Promise<void> {
  const acting = actingOperator();
  if (acting !== undefined) await requireStillAllowed(tx, acting, paise);
}

/** Writes an action into the audit log, in the transaction of its effect. Throws when whoever acts may not any more. */
export async function recordAction(tx: Tx, entry: Entry): Promise<void> {
  const acting = actingOperator();
  if (acting === undefined) {
    await insertEntry(tx, entry);
    return;
  }
  await requireStillAllowed(tx, acting, 'paise' in entry ? entry.paise : undefined);
  const approved = await recordRequest(tx, acting, await insertEntry(tx, entry));
  if (approved === undefined) return;
  const { id: target, actor, reason } = approved;
  await insertEntry(tx, { actor, reason, action: 'approvals.approve', target, customerId: null, effect: {} });
}

async function insertEntry(tx: Tx, { customerId, effect, actor, reason, action, target }: Entry): Promise<number> {
  const { position } = await tx
    .insertInto('operator_actions')
    .values({ actor, reason, action, target, customer_id: customerId, effect: JSON.stringify(effect) })
    .returning('position')
    .executeTakeFirstOrThrow();
  return position;
}

/** Who asked for a file last, when, and the hash of what it said; undefined if nobody did. */
export async function findLastExport(
  db: Db,
  file: string,
): Promise<{ actor: string; at: Date; hash: string } | undefined> {
  const row = await db
    .selectFrom('operator_actions')
    .select(['actor', 'acted_at as at', 'effect'])
    .where('action', '=', 'files.export')
    .where('target', '=', file)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { actor: row.actor, at: row.at, hash: exportEffect.parse(row.effect).sha256 };
}

const exportEffect = z.object({ sha256: z.string() });

/** The audit log, newest first; `before`: what came before this entry. */
export async function listActions(
  db: Db | Tx,
  {
    before,
    limit,
    customerId,
    actor,
  }: { before?: number | undefined; limit: number; customerId?: string | undefined; actor?: string | undefined },
): Promise<RecordedAction[]> {
  let query = db
    .selectFrom('operator_actions')
    .select(['position', 'acted_at', 'actor', 'action', 'target', 'customer_id', 'reason', 'effect'])
    .orderBy('position', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('position', '<', before);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (actor !== undefined) query = query.where('actor', '=', actor);
  const rows = await query.execute();
  return rows.map(({ acted_at: at, customer_id, ...row }) => ({
    ...row,
    at: at.toISOString(),
    customerId: customer_id,
  }));
}
