import type { Db, Tx } from '#database/connect.ts';

/** Who acts for the provider, and why. Both stay in the audit log for good. */
export interface OperatorCause {
  actor: string;
  /** The customer whom the action concerns reads it. */
  reason: string;
}

/** What an operator did. */
export interface OperatorAction extends OperatorCause {
  /** Noun and verb: `keys.revoke`. */
  action: string;
  /** The id of what it was done to. */
  target: string;
  /** Whom it concerns. */
  customerId: string | null;
  effect: object;
}

/** An action at its place in the audit log. */
export interface RecordedAction extends OperatorAction {
  position: number;
  at: Date;
}

/** Writes an action into the audit log, in the transaction of its effect. */
export async function recordAction(tx: Tx, { customerId, effect, ...action }: OperatorAction): Promise<void> {
  await tx
    .insertInto('operator_actions')
    .values({ ...action, customer_id: customerId, effect: JSON.stringify(effect) })
    .execute();
}

/** The audit log, newest first. */
export async function listActions(
  db: Db | Tx,
  { limit, customerId }: { limit: number; customerId?: string | undefined },
): Promise<RecordedAction[]> {
  const all = db
    .selectFrom('operator_actions')
    .select(['position', 'acted_at', 'actor', 'action', 'target', 'customer_id', 'reason', 'effect'])
    .orderBy('position', 'desc')
    .limit(limit);
  const rows = await (customerId === undefined ? all : all.where('customer_id', '=', customerId)).execute();
  return rows.map(({ acted_at: at, customer_id, ...row }) => ({ ...row, at, customerId: customer_id }));
}
