import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { countSessions, deleteSessionsOf } from '#server/auth/sessions.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';

type EndedSessions = OperatorReply<'endSessions'>;

/** The sessions that would end. Throws OperatorRefusal when the customer is signed in nowhere. */
export async function readSessions(db: Db | Tx, id: string): Promise<EndedSessions> {
  const customer = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email'])
    .where('id', '=', id.trim())
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(id);
  const { id: customerId, name, email } = customer;
  const sessions = await countSessions(db, customerId, systemClock);
  if (sessions === 0) throw new OperatorRefusal(`${customerId} is signed in nowhere.`, 'nothing_to_change');
  return { customerId, name, email, sessions };
}

/** Ends every session of a customer (product §3.8). A sign-in that commits meanwhile is a new session, and stays. */
export function endSessions({ db }: OperatorSource, id: string, cause: OperatorCause): Promise<EndedSessions> {
  return transaction(db, async (tx) => {
    const ended = await readSessions(tx, id);
    const { customerId, sessions } = ended;
    await deleteSessionsOf(tx, customerId);
    const effect = { sessions };
    await recordAction(tx, { ...cause, action: 'sessions.end', target: customerId, customerId, effect });
    return ended;
  });
}
