import type { Client } from 'pg';
import type { PlanTerms } from '#shared/domain/plan.ts';
import { priceOf } from '#shared/domain/price.ts';
import { seedContacts } from './seed-contacts.ts';
import { withoutIndexes } from './seed-indexes.ts';
import { chainFunction, seedDocuments, seedLedger, seedSeals } from './seed-records.ts';

export interface SeedOptions {
  customers: number;
  product: { id: string; gatewayPath: string };
  plan: PlanTerms;
  /** Every how many customers one has calls on each day; default 10. */
  callersAmong?: number;
  /** The session tokens of the first 50 customers with calls; without it nobody can sign in. */
  token?: (customer: number) => string;
  /** Called with what is made next. */
  say?: (what: string) => void;
}

/** Tables that get millions of rows. */
const largeTables = [
  'cycles',
  'payment_orders',
  'order_cycles',
  'payments',
  'documents',
  'ledger_entries',
  'ledger_lines',
  'record_seals',
  'usage_counts',
  'quota_counters',
];

/** Of a customer with calls, unless the plan allows less. */
const mostUnitsOfDay = 20;

/** The most customers who can sign in. */
const signedIn = 50;

/** The customers who can sign in: those with calls. */
export function seededCallers(customers: number, callersAmong = 10): number[] {
  const callers = Math.min(Math.floor(customers / callersAmong), signedIn);
  return Array.from({ length: callers }, (_, at) => (at + 1) * callersAmong);
}

/**
 * Fills an empty database with one year of customers, to measure with: 12 paid cycles each, every one paid in advance, with its receipt
 * voucher and its invoice, and a thread with support; some customers have usage on each day, a request log of 30 days and a webhook.
 * Everything is one transaction. The data passes the full ledger check. Throws when there are customers.
 */
export async function seed(client: Client, options: SeedOptions): Promise<void> {
  const run = (text: string) => client.query(text);
  const { rowCount } = await run('select from customers limit 1');
  if (rowCount !== 0) throw new Error('This database has customers: only an empty one can be filled with samples.');
  await run(
    `set synchronous_commit = off; set session_replication_role = replica; set work_mem = '128MB'; set maintenance_work_mem = '512MB'; set jit = off`,
  );
  await run('begin');
  await withoutIndexes(client, largeTables, () => fill(client, options), options.say);
  await run('commit');
  await run('reset session_replication_role');
  options.say?.('statistics');
  await run('vacuum analyze');
}

/** Letters of a GSTIN that differ as those of real ones do. */
const letters = `chr(65 + n / 676 % 26) || chr(65 + n / 26 % 26) || chr(65 + n % 26)`;

async function fill(client: Client, options: SeedOptions) {
  const { customers, product, plan, callersAmong = 10, token, say = () => {} } = options;
  const run = (text: string) => client.query(text);
  const terms = `'${JSON.stringify(plan).replaceAll("'", "''")}'::jsonb`;
  const people = `generate_series(1, ${customers}) n`;
  await run(`insert into customers select 'CUS-' || n, 'p' || n || '@example.com', 'Person ' || n, 'Person', n::text, '',
    now() - interval '400 days' from ${people}`);
  await run(`insert into members select replace(id, 'CUS', 'MEM'), id, replace(id, 'CUS', 'sub'), email, name, given_name, family_name, picture, null, 'owner',
    created_at, created_at from customers`);
  await run(`insert into profiles (customer_id, legal_name, phone, gstin, address, city, pin, state_code, updated_at)
    select 'CUS-' || n, 'Kaveri Traders ' || n, '+91' || 9000000000 + n, case n % 3 when 0 then '29AA' || ${letters} || lpad((n % 10000)::text, 4, '0') || 'F1Z5' end,
      '14 Residency Road', 'Bengaluru', '560025', '29', now() from ${people}`);
  await run(
    `insert into activations select 'ACT-' || n, 'CUS-' || n, '${product.id}', now() - interval '400 days', null from ${people}`,
  );
  await run(`insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at)
    select 'KEY-' || n, 'ACT-' || n, 'CUS-' || n, 'main', sha256(('key' || n)::bytea), 'abcd', now() - interval '399 days' from ${people}`);
  for (const customer of token === undefined ? [] : seededCallers(customers, callersAmong)) {
    await client.query(
      `insert into sessions values (sha256($1::bytea), $2, now(), now(), now() + interval '11 hours')`,
      [token?.(customer), `MEM-${customer}`],
    );
  }
  const price = priceOf(plan, false).totalPaise;
  say('cycles and payments');
  await run(`create temp table plan_of as select n, k, 'CYC-' || n || '-' || k as cycle, 'pay_' || n || '_' || k as payment,
      day, day + ${plan.maxDays} as until, (day - 2 + time '12:00') at time zone 'Asia/Kolkata' as paid_at,
      (day + time '00:01') at time zone 'Asia/Kolkata' as started_at
    from (select n, k, (now() at time zone 'Asia/Kolkata')::date - n % ${plan.maxDays} - ${plan.maxDays} * (11 - k) as day
      from ${people}, generate_series(0, 11) k) s`);
  // Without this, joins are planned for tables of a few rows.
  await run('analyze plan_of');
  await run(`insert into cycles select cycle, 'ACT-' || n, 'CUS-' || n, '${product.id}', 'PAID', day, until, ${terms}, '${plan.tenure}', ${price},
    ${plan.dailyQuota}, ${plan.monthlyQuota}, ${plan.rps}, paid_at, paid_at, null from plan_of`);
  await run(`insert into payment_orders (id, cycle_id, activation_id, customer_id, provider_order_id, amount_paise, currency, status, created_at)
    select 'ORD-' || n || '-' || k, cycle, 'ACT-' || n, 'CUS-' || n, 'order_' || n || '_' || k, ${price}, 'INR', 'PAID', paid_at from plan_of`);
  await run(`insert into order_cycles (order_id, cycle_id, activation_id, customer_id, place, amount_paise, live)
    select 'ORD-' || n || '-' || k, cycle, 'ACT-' || n, 'CUS-' || n, 1, ${price}, true from plan_of`);
  await run(`insert into payments select payment, 'ORD-' || n || '-' || k, cycle, 'CUS-' || n, ${price}, 'INR', 'captured', 'card', null,
    paid_at, paid_at, 'CYCLE' from plan_of`);
  await run(chainFunction);
  say('documents');
  await seedDocuments(run, price, plan);
  say('ledger');
  await seedLedger(run, price);
  say('daily usage');
  const units = Math.min(mostUnitsOfDay, plan.dailyQuota, Math.floor(plan.monthlyQuota / plan.maxDays));
  await run(`insert into usage_counts select 'ACT-' || n, cycle, 'KEY-' || n, d, 2, true, ${units}, d + time '12:00', ${units}
    from plan_of, generate_series(day, until - 1, interval '1 day') d
    where n % ${callersAmong} = 0 and d <= (now() at time zone 'Asia/Kolkata')::date`);
  await run(`insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date, quota, taken)
    select 'day'::quota_kind, a.id, a.customer_id, a.service_id, u.day, u.day + 1, sum(u.units), sum(u.units)
    from usage_counts u join activations a on a.id = u.activation_id group by 2, 5
    union all
    select 'cycle', c.id, c.customer_id, c.service_id, '-infinity', 'infinity', sum(u.units), sum(u.units)
    from usage_counts u join cycles c on c.id = u.cycle_id group by 2`);
  say('request log, support and webhooks');
  await seedContacts(run, customers, callersAmong, product.gatewayPath);
  say('seals');
  await seedSeals(run);
}
