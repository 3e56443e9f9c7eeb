import { type ActionName, isActionName, type OperatorReply } from '#shared/contract/operator/calls.ts';
import type { approvalCalls } from '#shared/contract/operator/approvals.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { formatRupees, rupees, toPaise } from '#shared/domain/money.ts';
import { mayCall, policyOf } from '#shared/policies/policies.ts';
import {
  actingAs,
  actingOperator,
  type ActingOperator,
  mayNotAnyMore,
  tokenIsRevoked,
} from '#server/audit-log/acting-operator.ts';
import { type OperatorCause, recordAction, restoreActor } from '#server/audit-log/audit-log.ts';
import { claimKey } from '#server/audit-log/idempotency-keys.ts';
import { newId } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import type { Handlers, OperatorContext } from '#server/operator-handler.ts';
import type { EventContext } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** The two steps of any action. */
export interface AnySteps {
  preview: AnyStep;
  perform: AnyStep;
}
type AnyStep = (
  operator: OperatorContext,
  role: ActingOperator['role'],
  name: ActionName,
  input: unknown,
  cause: OperatorCause,
) => Promise<unknown>;

const selectApprovals = (db: Db | Tx) =>
  db
    .selectFrom('approvals as approval')
    .innerJoin('operators as requester', 'requester.id', 'approval.requested_by')
    .leftJoin('operators as decider', (join) =>
      // No approval has both.
      join.on((of) => of('decider.id', '=', of.fn.coalesce('approval.approved_by', 'approval.declined_by'))),
    )
    .select(['approval.id', 'call', 'input', 'customer_id', 'amount_paise', 'reason', 'requested_by', 'requested_at'])
    .select(['state', 'decided_at', 'decider.email as decidedBy', 'requester.email as requestedBy'])
    .leftJoin('operator_tokens as token', 'token.id', 'approval.token_id')
    .innerJoin('customers as customer', 'customer.id', 'approval.customer_id')
    .select(['token.name as tokenName', 'token.revoked_at as tokenRevoked', 'customer.name as customerName'])
    .select(['requester.role as requesterRole', 'requester.removed_at as requesterRemoved'])
    .orderBy('requested_at', 'desc');

type Row = Awaited<ReturnType<ReturnType<typeof selectApprovals>['executeTakeFirstOrThrow']>>;
type Approval = OperatorReply<'decline'>;

/** Nobody in the database stands for a restore, which declines what waited. */
const deciderOf = ({ state, decidedBy }: Pick<Row, 'state' | 'decidedBy'>): string | null =>
  decidedBy ?? (state === 'DECLINED' ? restoreActor : null);

const approvalOf = ({ id, call, input, reason, state, requestedBy, decidedBy, ...row }: Row): Approval => ({
  id,
  call,
  input: { ...input },
  customerId: row.customer_id,
  customer: row.customerName,
  amount: rupees(row.amount_paise),
  reason,
  requestedBy,
  requestedAt: row.requested_at.toISOString(),
  state,
  decidedBy: deciderOf({ state, decidedBy }),
  decidedAt: row.decided_at?.toISOString() ?? null,
});

/** The amount in the preview of an action, and whom it concerns; undefined for actions without one. */
export function moneyIn(name: ActionName, preview: unknown): { customerId: string; paise: number } | undefined {
  const { amount: field } = policyOf(name);
  if (field === undefined || typeof preview !== 'object' || preview === null) return undefined;
  const values = new Map<string, unknown>(Object.entries(preview));
  const [amount, customerId] = [values.get(field), values.get('customerId')];
  if (typeof amount !== 'number' || typeof customerId !== 'string') throw new Error(`${name} has no ${field}`);
  // The amount of what was done already is moved no more.
  return { customerId, paise: values.get('already') === true ? 0 : toPaise(amount) };
}

/** Stores an action that one person may not decide alone. */
export async function requestApproval(
  context: EventContext & { db: Db },
  acting: ActingOperator,
  { name, input, reason }: { name: ActionName; input: unknown; reason: string },
): Promise<{ waitsForApproval: string }> {
  const { money, operatorId, tokenId, at } = acting;
  if (money === undefined) throw new Error(`${name} has no amount`);
  const id = newId('APR');
  await transaction(context.db, async (tx) => {
    await claimKey(tx, acting);
    await tx
      .insertInto('approvals')
      .values({
        id,
        call: name,
        input: JSON.stringify(input),
        customer_id: money.customerId,
        amount_paise: money.paise,
        reason,
        requested_by: operatorId,
        token_id: tokenId ?? null,
        requested_at: at,
        state: 'WAITING',
      })
      .execute();
    const { customerId, paise: amountPaise } = money;
    const event = { type: 'approval.requested', approvalId: id, call: name, amountPaise } as const;
    await happened(context, { customerId }, tx, event);
  });
  return { waitsForApproval: id };
}

function requirePerson(): ActingOperator {
  const acting = actingOperator();
  if (acting === undefined) throw new OperatorRefusal('Only an operator who is signed in decides this.');
  return acting;
}

async function findWaiting(db: Db | Tx, approvalId: string): Promise<Row> {
  const row = await selectApprovals(db).where('approval.id', '=', approvalId).executeTakeFirst();
  if (!row) throw new OperatorRefusal(`There is no request ${approvalId}.`, 'not_found');
  if (row.state !== 'WAITING')
    throw new OperatorRefusal(`${approvalId} is decided already, by ${deciderOf(row)}.`, 'nothing_to_change');
  return row;
}

/** A request that waits, and that this person may approve. */
async function findApprovable(db: Db, approvalId: string, { role, operatorId }: ActingOperator) {
  const row = await findWaiting(db, approvalId);
  const { call } = row;
  if (!isActionName(call)) throw new OperatorRefusal(`This version can’t do ${call}. Decline it.`);
  if (!mayCall(role, call)) throw new OperatorRefusal(`The role ${role} may not do this (${call}).`, 'forbidden');
  if (row.requested_by === operatorId)
    throw new OperatorRefusal('You asked for this yourself: another operator approves it.');
  return { row, call };
}

/** Who the audit log names: with a token, its name too. */
export const actorWith = (email: string, tokenName: string | null = null): string =>
  tokenName === null ? email : `${email} (${tokenName})`;

const causeOf = ({ requestedBy, tokenName, reason }: Row, { actor }: OperatorCause): OperatorCause => ({
  actor: `${actorWith(requestedBy, tokenName)}, approved by ${actor}`,
  reason,
});

/** What approving would do now. Throws for one’s own request, and when the action or its amount is no longer what was asked for. */
async function previewApproval(operator: OperatorContext, steps: AnySteps, approvalId: string, cause: OperatorCause) {
  const acting = requirePerson();
  const { row, call } = await findApprovable(operator.db, approvalId, acting);
  if (row.requesterRemoved !== null || !mayCall(row.requesterRole, call)) throw mayNotAnyMore(row.requestedBy);
  if (row.tokenRevoked !== null) throw tokenIsRevoked();
  const result = await steps.preview(operator, acting.role, call, row.input, causeOf(row, cause));
  const paise = moneyIn(call, result)?.paise;
  if (paise !== row.amount_paise)
    throw new OperatorRefusal(
      `It would now be ${formatRupees(paise ?? 0)} instead of ${formatRupees(row.amount_paise)}. Decline it, and ask again.`,
    );
  return { acting, row, call, result };
}

async function performApproval(operator: OperatorContext, steps: AnySteps, approvalId: string, cause: OperatorCause) {
  const { acting, row, call } = await previewApproval(operator, steps, approvalId, cause);
  const { customer_id: customerId, amount_paise: paise } = row;
  const approving = {
    ...acting,
    mayStill: (role: ActingOperator['role']) => acting.mayStill(role) && mayCall(role, call),
    money: {
      customerId,
      paise,
      limitPaise: undefined,
      approval: { ...cause, id: approvalId, mayAsk: (role: ActingOperator['role']) => mayCall(role, call) },
    },
  };
  const result = await actingAs(approving, () =>
    steps.perform(operator, acting.role, call, row.input, causeOf(row, cause)),
  );
  const done = await operator.db
    .selectFrom('operator_requests')
    .select('position')
    .where('request_id', '=', acting.requestId)
    .executeTakeFirst();
  // An action that finds everything done already records nothing.
  if (!done) throw new OperatorRefusal('It was done already, and nothing was done again.', 'nothing_to_change');
  // Not read again: it goes with a customer whom the action erased.
  const after: Row = { ...row, state: 'DONE', decidedBy: cause.actor, decided_at: acting.at };
  return { ...approvalOf(after), result: { ...Object(result) } };
}

async function declineApproval({ db }: OperatorContext, approvalId: string, cause: OperatorCause): Promise<Approval> {
  const acting = requirePerson();
  return transaction(db, async (tx) => {
    const row = await findWaiting(tx, approvalId);
    const effect = { call: row.call, amountPaise: row.amount_paise };
    await recordAction(tx, { ...cause, action: 'approvals.decline', target: approvalId, customerId: null, effect });
    const { numUpdatedRows } = await tx
      .updateTable('approvals')
      .set({ state: 'DECLINED', declined_by: acting.operatorId, decided_at: acting.at })
      .where('id', '=', approvalId)
      .where('state', '=', 'WAITING')
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw refuse('already_done');
    return approvalOf(await selectApprovals(tx).where('approval.id', '=', approvalId).executeTakeFirstOrThrow());
  });
}

const mostListed = 200;

/** They make other actions, which is why they get the way to make any. */
export const approvalHandlers = (steps: AnySteps): Handlers<typeof approvalCalls> => ({
  listApprovals: {
    read: async ({ db }, { state, limit = mostListed }) => {
      const all = selectApprovals(db).limit(limit);
      const rows = await (state === undefined ? all : all.where('state', '=', state)).execute();
      return { approvals: rows.map(approvalOf) };
    },
  },
  approve: {
    preview: async (operator, { approvalId }, cause) => {
      const { row, result } = await previewApproval(operator, steps, approvalId, cause);
      return { ...approvalOf(row), result: { ...Object(result) } };
    },
    perform: (operator, { approvalId }, cause) => performApproval(operator, steps, approvalId, cause),
  },
  decline: {
    preview: async ({ db }, { approvalId }) => {
      requirePerson();
      return approvalOf(await findWaiting(db, approvalId));
    },
    perform: (operator, { approvalId }, cause) => declineApproval(operator, approvalId, cause),
  },
});
