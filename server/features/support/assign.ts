import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { mayCall } from '#shared/policies/policies.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { requireAnyThread } from './provider.ts';
import { selectOperator, updateAssigned } from './provider-store.ts';
import { lockThread } from './store.ts';

interface Wanted {
  threadId: string;
  /** Null: nobody. */
  email: string | null;
}

/** What it would change. Throws when the thread can't be assigned so. */
export async function previewAssignment(
  db: Db | Tx,
  { threadId, email }: Wanted,
): Promise<OperatorReply<'assignThread'>> {
  const { assignedTo: before } = await requireAnyThread(db, threadId);
  if (email !== null) {
    const operator = await selectOperator(db, email);
    if (operator === undefined) throw new OperatorRefusal(`${email} is not an operator.`, 'not_found');
    if (!mayCall(operator.role, 'replyToThread'))
      throw new OperatorRefusal(`${email} has the role ${operator.role}, which may not reply.`);
  }
  if (before === email)
    throw new OperatorRefusal(
      email === null ? `${threadId} is assigned to nobody already.` : `${threadId} is assigned to ${email} already.`,
      'nothing_to_change',
    );
  return { thread: threadId, before, assignedTo: email };
}

/** Says who looks after a thread. The customer doesn't hear of it. */
export async function assignThread(
  { db }: { db: Db },
  wanted: Wanted,
  cause: OperatorCause,
): Promise<OperatorReply<'assignThread'>> {
  const { threadId, email } = wanted;
  const owner = await requireAnyThread(db, threadId);
  return transaction(db, async (tx) => {
    // Before the thread, as a removal takes them.
    const operator = email === null ? undefined : await selectOperator(tx, email);
    await lockThread(owner, tx, threadId);
    const changed = await previewAssignment(tx, wanted);
    const { before } = changed;
    await recordAction(tx, {
      ...cause,
      action: 'support.assign',
      target: threadId,
      customerId: null,
      effect: { before, assignedTo: email },
    });
    await updateAssigned(tx, threadId, operator?.id ?? null);
    return changed;
  });
}
