import { sql } from 'kysely';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { FoundCustomer } from '#shared/contract/operator/customers.ts';
import type { Db } from '#shared/database/connect.ts';
import { condition, escapeLike } from '#shared/database/expressions.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { isRequestId } from '#shared/domain/request-ids.ts';
import { findCall } from '#server/features/request-log/request-log.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { findKeys } from '#server/features/api-keys/api-keys.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { findOrderByBank } from './bank-reference.ts';

/** More are of no use to anybody. */
const maxFound = 50;

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

/** Tables with a customer, and the columns in which a text that customers send may stand as a whole. */
const namedIn = [
  ['activations', 'id'],
  ['cycles', 'id'],
  ['api_keys', 'id'],
  ['payment_orders', 'id'],
  ['payment_orders', 'provider_order_id'],
  ['payments', 'provider_payment_id'],
  ['refunds', 'id'],
  ['refunds', 'provider_refund_id'],
  ['disputes', 'provider_dispute_id'],
  ['documents', 'number'],
  ['support_threads', 'id'],
  ['webhooks', 'id'],
  ['tds_claims', 'id'],
] as const;

/** The digits of a phone number without the country's, however it is grouped; undefined for another text. */
function phoneDigits(text: string): string | undefined {
  if (!/^\+?[\d\s().-]+$/.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  return digits.length < 4 ? undefined : digits.slice(-10);
}

/** What was pasted: without characters that nobody sees, and of `Asha Rao <asha@kosi.in>` the address. */
function readSought(sought: string): string {
  const seen = sought
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /<([^<>\s]+@[^<>\s]+)>/.exec(seen)?.[1] ?? seen;
}

/** What may be an id or a number: the whole, and each word, as in “Invoice OCT/26-27/000012”. Our own ids and numbers have capitals alone. */
function namesIn(text: string): string[] {
  const words = text.split(' ').map((word) => word.replaceAll(/^[("'“‘#]+|[)"'”’.,;:!?]+$/g, ''));
  const long = [text, ...words].filter((word) => word.length >= 6);
  return [...new Set([text, ...long, ...long.map((word) => word.toUpperCase())])].slice(0, 20);
}

/**
 * Customers by what somebody who writes to support sends: the id of anything of theirs, a key or its beginning, a document number, a UTR, the id of
 * a request, else a part of an e-mail address, a name, a GSTIN or a phone number. Newest first. `call` is the request that was meant,
 * `orderId` the order of a UTR.
 */
export async function findCustomers(source: OperatorSource, sought: string): Promise<OperatorReply<'findCustomers'>> {
  const { db } = source;
  const text = readSought(sought);
  if (text.length < 3) throw new OperatorRefusal('Give at least three characters.', 'invalid_request');
  const call = isRequestId(text) ? await findCall(db, text) : undefined;
  const keys = text.startsWith('gstk_') ? await findKeys(source, text) : [];
  const names = namesIn(text);
  const order = await findOrderByBank(db, names);
  const part = `%${escapeLike(text)}%`;
  const phone = phoneDigits(text);
  const found = await customers(db)
    .where((where) =>
      where.or([
        where('customer.id', 'in', [...names, ...[...keys, call, order].flatMap((of) => of?.customerId ?? [])]),
        ...namedIn.map(
          ([table, column]) =>
            condition`customer.id in (select customer_id from ${sql.table(table)} where ${sql.ref(column)} = any(${names}::text[]))`,
        ),
        where('customer.email', 'ilike', part),
        where('customer.name', 'ilike', part),
        where('profile.legal_name', 'ilike', part),
        where('profile.gstin', 'ilike', part),
        ...(phone === undefined
          ? []
          : [condition`regexp_replace(profile.phone, '[^0-9]', '', 'g') like ${`%${phone}%`}`]),
      ]),
    )
    .orderBy('customer.created_at', 'desc')
    .limit(maxFound)
    .execute();
  return { customers: found.map(onWire), call, orderId: order?.id };
}

export async function readCustomer(db: Db, id: string, today: Day): Promise<OperatorReply<'readCustomer'>> {
  const customer = await customers(db).where('customer.id', '=', id).executeTakeFirst();
  if (!customer) throw noSuchCustomer(id);
  const [activations, running, keys, payments, actions] = await Promise.all([
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
      .limit(maxFound)
      .execute(),
    listActions(db, { limit: maxFound, customerId: id }),
  ]);
  return {
    ...onWire(customer),
    activations: activations.map((activation) => {
      const cycle = running.find((each) => each.activation_id === activation.id);
      return {
        id: activation.id,
        productId: activation.service_id,
        createdAt: activation.created_at.toISOString(),
        deletedAt: activation.deleted_at?.toISOString() ?? null,
        keysInUse: keys.filter((key) => key.activation_id === activation.id).length,
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
  };
}
