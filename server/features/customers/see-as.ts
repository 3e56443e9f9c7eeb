import { viewPrefix } from '#shared/contract/operator/view.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { actingOperator } from '#server/audit-log/acting-operator.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { createView, viewMs } from '#server/auth/views.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';

type Seen = OperatorReply<'seeAsCustomer'>;

/** Whose portal it would be. */
export async function previewView(db: Db | Tx, id: string, at = new Date(systemClock())): Promise<Seen> {
  const customer = await db
    .selectFrom('customers')
    .select(['id as customerId', 'name', 'email', 'erased_at'])
    .where('id', '=', id.trim())
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(id);
  const { erased_at: erasedAt, ...named } = customer;
  if (erasedAt !== null) throw new OperatorRefusal(`${named.customerId} is erased: there is no portal to see.`);
  return { ...named, until: new Date(at.getTime() + viewMs).toISOString(), link: null };
}

/** Begins a view of a customer's portal, bound to the session of the operator (decision 068). */
export function beginView({ db }: OperatorSource, id: string, cause: OperatorCause): Promise<Seen> {
  const at = new Date(systemClock());
  return transaction(db, async (tx) => {
    const seen = await previewView(tx, id, at);
    const { customerId, until } = seen;
    const sessionHash = actingOperator()?.sessionHash;
    if (sessionHash === undefined) throw new OperatorRefusal('Only a person can do this, in the console.', 'forbidden');
    const effect = { until };
    await recordAction(tx, { ...cause, action: 'customers.see', target: customerId, customerId, effect });
    // Behind the #, which browsers send to nobody.
    return { ...seen, link: `/#${viewPrefix.slice(1)}=${await createView(tx, customerId, sessionHash, at)}` };
  });
}
