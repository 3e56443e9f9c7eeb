import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { FoundCustomer } from '#shared/contract/operator/customers.ts';
import type { Db } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { mandateStates, renewsStill } from '#shared/domain/mandate.ts';
import { rupees } from '#shared/domain/money.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { readTerms } from '#server/features/credit/credit.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import type { AskedPage } from '#server/operator-pages.ts';
import { noSuchCustomer } from '#server/refusals/operator-refusal.ts';
import { searchCustomers } from './search.ts';

/** The most payments and actions that are shown with a customer. */
const maxShown = 50;

const customers = (db: Db) =>
  db
    .selectFrom('customers as customer')
    .leftJoin('profiles as profile', 'profile.customer_id', 'customer.id')
    .select([
      'customer.id',
      'customer.name',
      'customer.email',
      'profile.legal_name as legalName',
      'profile.gstin',
      'profile.phone',
      'customer.created_at as createdAt',
      'customer.blocked_at as blockedAt',
      'customer.blocked_reason as blockedReason',
      'customer.erased_at as erasedAt',
    ]);

type CustomerRow = Awaited<ReturnType<ReturnType<typeof customers>['execute']>>[number];

const onWire = ({ createdAt, blockedAt, erasedAt, ...customer }: CustomerRow): FoundCustomer => ({
  ...customer,
  createdAt: createdAt.toISOString(),
  blockedAt: blockedAt?.toISOString() ?? null,
  erasedAt: erasedAt?.toISOString() ?? null,
});

/** The customers with these ids, in their order. */
async function readCustomers(db: Db, ids: readonly string[]): Promise<FoundCustomer[]> {
  if (ids.length === 0) return [];
  const rows = await customers(db).where('customer.id', 'in', ids).execute();
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)).map(onWire);
}

/** Customers by what somebody who writes to support sends; `call` is the request that was meant, `orderId` the order of a UTR. */
export async function findCustomers(
  source: Pick<OperatorSource, 'db' | 'clock' | 'requestLog'>,
  sought: string,
  page: AskedPage,
): Promise<OperatorReply<'findCustomers'>> {
  const { ids, ...found } = await searchCustomers(source, sought, page);
  return { customers: await readCustomers(source.db, ids), ...found };
}

export async function readCustomer(db: Db, id: string, today: Day): Promise<OperatorReply<'readCustomer'>> {
  const customer = await customers(db).where('customer.id', '=', id).executeTakeFirst();
  if (!customer) throw noSuchCustomer(id);
  const [activations, running, mandates, keys, payments, actions, terms] = await Promise.all([
    db
      .selectFrom('activations')
      .select(['id', 'service_id', 'created_at', 'deleted_at'])
      .where('customer_id', '=', id)
      .orderBy('created_at', 'desc')
      .execute(),
    db
      .selectFrom('cycles')
      .select(['id', 'activation_id', 'plan', 'from_date', 'to_date', 'status', 'granted_reason'])
      .where('customer_id', '=', id)
      .where('status', 'in', accessStatuses)
      .where('from_date', '<=', today)
      .where('to_date', '>', today)
      .execute(),
    db
      .selectFrom('mandates')
      .select(['id', 'activation_id', 'state'])
      .where('customer_id', '=', id)
      .where('state', 'in', mandateStates.filter(renewsStill))
      .execute(),
    db
      .selectFrom('api_keys')
      .select('activation_id')
      .where('customer_id', '=', id)
      .where('revoked_at', 'is', null)
      .where(condition`(expires_at is null or expires_at > now())`)
      .execute(),
    db
      .selectFrom('payments')
      .select(['provider_payment_id', 'cycle_id', 'amount_paise', 'status', 'use', 'created_at'])
      .where('customer_id', '=', id)
      .orderBy('created_at', 'desc')
      .limit(maxShown)
      .execute(),
    listActions(db, { limit: maxShown, customerId: id }),
    readTerms({ customerId: id }, db),
  ]);
  return {
    ...onWire(customer),
    activations: activations.map((activation) => {
      const cycle = running.find((each) => each.activation_id === activation.id);
      const mandate = mandates.find((each) => each.activation_id === activation.id);
      return {
        id: activation.id,
        productId: activation.service_id,
        createdAt: activation.created_at.toISOString(),
        deletedAt: activation.deleted_at?.toISOString() ?? null,
        keysInUse: keys.filter((key) => key.activation_id === activation.id).length,
        mandate: mandate ? { id: mandate.id, state: mandate.state } : null,
        plan: cycle
          ? {
              id: cycle.id,
              name: cycle.plan.name,
              fromDate: cycle.from_date,
              toDate: cycle.to_date,
              status: cycle.status,
              granted: cycle.granted_reason !== null,
            }
          : null,
      };
    }),
    payments: payments.map((payment) => ({
      id: payment.provider_payment_id,
      cycleId: payment.cycle_id,
      amount: rupees(payment.amount_paise),
      status: payment.status,
      use: payment.use,
      createdAt: payment.created_at.toISOString(),
    })),
    actions,
    terms,
  };
}
