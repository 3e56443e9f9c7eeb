import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkedRows } from '#platform/checked-rows.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const ofActivation = 'is made under the lock of an activation that the erasure has ended, or of its cycles';
const ofBooks = 'follows from a payment, which the books need whoever paid';
const ofWork = 'is kept for the installation’s own work';
const ofGateway = 'is counted by gateways, which may report late';

/** Tables with a customer that take rows after the erasure, and why. Others have the trigger `erased_get_nothing`. */
const takesRows: Readonly<Record<string, string>> = {
  api_keys: ofActivation,
  cycles: ofActivation,
  payment_orders: ofActivation,
  order_cycles: ofActivation,
  amendments: 'corrects an invoice by the business profile, which an erased customer has none of',
  quota_raises: 'is an operator’s, of a cycle that gives access',
  payments: ofBooks,
  refunds: ofBooks,
  disputes: ofBooks,
  documents: ofBooks,
  ledger_entries: ofBooks,
  operator_actions: 'is the audit log: the erasure itself is an entry',
  event_keys: 'keeps the provider from being told twice',
  mails: 'tells the provider, and the customer once that the account is erased',
  webhook_events: 'is made only for a webhook, which an erased customer has none of',
  webhook_deliveries: 'is made only for a webhook, which an erased customer has none of',
  customer_changes: ofWork,
  record_seals: ofWork,
  free_quota_days: ofGateway,
  free_quota_windows: ofGateway,
  test_calls: ofGateway,
};

test('every table with a customer refuses rows for an erased one, or its reason to take them stands here', async () => {
  const result = await database.pool.query(
    `select c.table_name as "table", exists (select from information_schema.triggers t where t.trigger_schema = 'public'
       and t.event_object_table = c.table_name and t.trigger_name = 'erased_get_nothing' and t.event_manipulation = 'INSERT') as refuses
     from information_schema.columns c join information_schema.tables using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'customer_id' and table_type = 'BASE TABLE'`,
  );
  const tables = checkedRows(z.object({ table: z.string(), refuses: z.boolean() }), result);
  const taking = tables.filter(({ refuses }) => !refuses).map(({ table }) => table);
  expect(taking.toSorted()).toEqual(Object.keys(takesRows).toSorted());
});
