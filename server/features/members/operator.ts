import type { memberOperatorCalls } from '#shared/contract/operator/members.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers, OperatorContext, OperatorSource } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { described } from './invitations.ts';
import { founderOf } from './sign-in.ts';
import { forget } from './forget.ts';
import * as store from './store.ts';

async function readMembers({ db, clock }: OperatorSource, id: string): Promise<OperatorReply<'readMembers'>> {
  const owner = { customerId: id.trim() };
  const people = await store.selectPeople(db, owner);
  if (people.length === 0) throw noSuchCustomer(id);
  const open = await store.selectOpen(db, owner);
  return {
    members: people.map(({ joined_at: joinedAt, removed_at: removedAt, google_sub: sub, ...person }) => ({
      ...person,
      joinedAt: joinedAt.toISOString(),
      removedAt: removedAt?.toISOString() ?? null,
      isForgotten: sub.startsWith('erased:'),
    })),
    invitations: open.map((row) => described(row, clock())),
  };
}

/** A removed member who is still named. Throws OperatorRefusal for others. */
async function readForgettable(db: Db | Tx, id: string) {
  const memberId = id.trim();
  const row = await db
    .selectFrom('members')
    .select(['customer_id', 'google_sub', 'removed_at'])
    .where('id', '=', memberId)
    .executeTakeFirst();
  if (!row) throw new OperatorRefusal(`There is no member ${memberId}.`, 'not_found');
  if (row.google_sub.startsWith('erased:'))
    throw new OperatorRefusal(`${memberId} is forgotten already.`, 'nothing_to_change');
  if (row.removed_at === null)
    throw new OperatorRefusal(`${memberId} is a member: the owner removes first, or the member leaves.`);
  return { memberId, customerId: row.customer_id, removedAt: row.removed_at.toISOString() };
}

function forgetMember({ db }: OperatorContext, id: string, cause: OperatorCause) {
  return transaction(db, async (tx) => {
    const { customerId } = await readForgettable(tx, id);
    await lockCustomer({ customerId }, tx);
    const found = await readForgettable(tx, id);
    await forget(tx, found.memberId);
    await recordAction(tx, { ...cause, action: 'members.forget', target: found.memberId, customerId, effect: {} });
    return found;
  });
}

/** A customer whose founder passed it on. Throws OperatorRefusal while the founder owns it, or nothing holds the founder. */
async function readPassedOn(db: Db | Tx, id: string): Promise<OperatorReply<'allowNewAccount'>> {
  const customerId = id.trim();
  const customer = await db
    .selectFrom('customers')
    .select(['name', 'email', 'founded_by'])
    .where('id', '=', customerId)
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(id);
  const { name, email, founded_by: founder } = customer;
  if (founder === null)
    throw new OperatorRefusal(`Whoever founded ${customerId} may begin anew already.`, 'nothing_to_change');
  const [owner] = await store.selectMembers(db, { customerId });
  if (owner && founder.equals(founderOf({ sub: owner.google_sub })))
    throw new OperatorRefusal(`${email} founded ${customerId} and owns it still.`);
  return { customerId, name, email };
}

function allowNewAccount({ db }: OperatorContext, id: string, cause: OperatorCause) {
  return transaction(db, async (tx) => {
    const customerId = id.trim();
    await lockCustomer({ customerId }, tx);
    const found = await readPassedOn(tx, id);
    await tx.updateTable('customers').set({ founded_by: null }).where('id', '=', customerId).execute();
    await recordAction(tx, { ...cause, action: 'customers.release', target: customerId, customerId, effect: {} });
    return found;
  });
}

export const memberHandlers: Handlers<typeof memberOperatorCalls> = {
  readMembers: { read: (source, { customerId }) => readMembers(source, customerId) },
  forgetMember: {
    preview: ({ db }, { memberId }) => readForgettable(db, memberId),
    perform: (operator, { memberId }, cause) => forgetMember(operator, memberId, cause),
  },
  allowNewAccount: {
    preview: ({ db }, { customerId }) => readPassedOn(db, customerId),
    perform: (operator, { customerId }, cause) => allowNewAccount(operator, customerId, cause),
  },
};
