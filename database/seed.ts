import type { Client } from 'pg';
import { z } from 'zod';
import type { PlanTerms } from '#domain/plan.ts';
import { splitInclusive } from '#domain/tax-split.ts';
import { checkedRows } from '#platform/checked-rows.ts';

export interface SeedOptions {
  customers: number;
  plan: PlanTerms;
  /** Every how many customers one has calls on each day; default 10. */
  callersAmong?: number;
  /** The session tokens of the first 50 customers; without it nobody can sign in. */
  token?: (customer: number) => string;
  /** Called with what is made next. */
  say?: (what: string) => void;
}

/**
 * Fills an empty database with one year of customers, to measure with: 12 paid cycles each, every one paid in advance, with its receipt
 * voucher and its invoice; some customers have usage on each day. The data passes the full ledger check. Throws when there are customers.
 */
export async function seed(client: Client, options: SeedOptions): Promise<void> {
  const { customers, plan, callersAmong = 10, token, say = () => {} } = options;
  const run = (text: string) => client.query(text);
  const { rowCount } = await run('select from customers limit 1');
  if (rowCount !== 0) throw new Error('This database has customers: only an empty one can be filled with samples.');
  await run(
    `set synchronous_commit = off; set session_replication_role = replica; set work_mem = '128MB'; set jit = off`,
  );
  const noted = checkedRows(
    z.object({ name: z.string() }),
    await run(`select tgrelid::regclass::text as name from pg_trigger where tgname = 'noted_for_ledger'`),
  );
  // These triggers fire in every session; millions of rows would leave notes that nothing reads.
  for (const { name } of noted) await run(`alter table ${name} disable trigger noted_for_ledger`);
  const terms = `'${JSON.stringify(plan).replaceAll("'", "''")}'::jsonb`;
  const people = `generate_series(1, ${customers}) n`;
  await run(`insert into customers select 'CUS-' || n, 'sub-' || n, 'p' || n || '@example.com', 'Person ' || n, 'Person', n::text, '',
    now() - interval '400 days' from ${people}`);
  await run(`insert into profiles (customer_id, legal_name, phone, address, city, pin, state_code, updated_at)
    select 'CUS-' || n, 'Kaveri Traders', '+919876543210', '14 Residency Road', 'Bengaluru', '560025', '29', now() from ${people}`);
  await run(
    `insert into activations select 'ACT-' || n, 'CUS-' || n, 'tax-lookup-api', now() - interval '400 days', null from ${people}`,
  );
  await run(`insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at)
    select 'KEY-' || n, 'ACT-' || n, 'CUS-' || n, 'main', sha256(('key' || n)::bytea), 'abcd', now() - interval '399 days' from ${people}`);
  const sessions = token === undefined ? [] : Array.from({ length: Math.min(customers, 50) }, (_, at) => token(at + 1));
  for (const [at, session] of sessions.entries()) {
    await client.query(
      `insert into sessions values (sha256($1::bytea), $2, now(), now(), now() + interval '11 hours')`,
      [session, `CUS-${at + 1}`],
    );
  }
  const price = Math.round((plan.pricePaise * (plan.tax === 'inclusive' ? 100 : 118)) / 100);
  say('cycles and payments');
  await run(`create temp table plan_of as select n, k, 'CYC-' || n || '-' || k as cycle, 'pay_' || n || '_' || k as payment,
      day, day + ${plan.maxDays} as until, (day - 2 + time '12:00') at time zone 'Asia/Kolkata' as paid_at,
      (day + time '00:01') at time zone 'Asia/Kolkata' as started_at
    from (select n, k, (now() at time zone 'Asia/Kolkata')::date - n % ${plan.maxDays} - ${plan.maxDays} * (11 - k) as day
      from ${people}, generate_series(0, 11) k) s`);
  // Without this, joins are planned for tables of a few rows.
  await run('analyze plan_of');
  await run(`insert into cycles select cycle, 'ACT-' || n, 'CUS-' || n, 'tax-lookup-api', 'PAID', day, until, ${terms}, '${plan.tenure}', ${price},
    ${plan.dailyQuota}, ${plan.monthlyQuota}, ${plan.rps}, paid_at, paid_at, null from plan_of`);
  await run(`insert into payment_orders (id, cycle_id, activation_id, customer_id, provider_order_id, amount_paise, currency, status, created_at)
    select 'ORD-' || n || '-' || k, cycle, 'ACT-' || n, 'CUS-' || n, 'order_' || n || '_' || k, ${price}, 'INR', 'PAID', paid_at from plan_of`);
  await run(`insert into order_cycles (order_id, cycle_id, activation_id, customer_id, place, amount_paise, live)
    select 'ORD-' || n || '-' || k, cycle, 'ACT-' || n, 'CUS-' || n, 1, ${price}, true from plan_of`);
  await run(`insert into payments select payment, 'ORD-' || n || '-' || k, cycle, 'CUS-' || n, ${price}, 'INR', 'captured', 'card', null,
    paid_at, paid_at, 'CYCLE' from plan_of`);
  say('documents');
  await seedDocuments(run, price, plan);
  say('ledger');
  await seedLedger(run, price);
  say('daily usage');
  await run(`insert into usage_counts select 'ACT-' || n, cycle, 'KEY-' || n, d, 2, true, 20, d + time '12:00', 20
    from plan_of, generate_series(day, until - 1, interval '1 day') d
    where n % ${callersAmong} = 0 and d <= (now() at time zone 'Asia/Kolkata')::date`);
  for (const { name } of noted) await run(`alter table ${name} enable always trigger noted_for_ledger`);
  say('seals');
  await run('select seal_unsealed()');
  await run(`reset session_replication_role`);
  await run('vacuum analyze');
}

type Run = (text: string) => Promise<unknown>;

/**
 * A voucher two days before each cycle and an invoice on its first day, in series that roll over as the product's do.
 */
async function seedDocuments(run: Run, price: number, plan: PlanTerms): Promise<void> {
  const rate = plan.gstRateBasisPoints;
  const split = splitInclusive(price, rate, 'IGST');
  const content = JSON.stringify({
    split,
    gstRateBasisPoints: rate,
    tax: 'IGST',
    placeOfSupply: '29',
    placeOfSupplyName: 'Karnataka',
  });
  await run(`create temp table issued as
    select *, row_number() over (partition by kind, year order by at, n, k) as place from (
      select *, to_char((at at time zone 'Asia/Kolkata')::date - interval '3 months', 'YYYY') || '-' ||
        to_char((at at time zone 'Asia/Kolkata')::date + interval '9 months', 'YY') as year
      from (select n, k, cycle, payment, day, until, 'RECEIPT_VOUCHER'::document_kind as kind, paid_at as at from plan_of
        union all select n, k, cycle, payment, day, until, 'INVOICE', started_at from plan_of) d) y`);
  await run('analyze issued');
  await run(
    `create temp table forms as select *, sum(last) over (partition by kind order by place) - last as before from document_series_forms`,
  );
  await run('analyze forms');
  await run(`insert into documents
    select 'DOC-' || i.n || '-' || i.k || left(i.kind::text, 1), i.kind,
      'OCT/' || right(i.year, 5) || '/' || f.letters || lpad((i.place - f.before)::text, f.digits, '0'), f.name, i.year, i.place - f.before,
      i.at, (i.at at time zone 'Asia/Kolkata')::date, 'CUS-' || i.n, i.cycle, i.payment,
      case i.kind when 'INVOICE' then 'DOC-' || i.n || '-' || i.k || 'R' end,
      ${split.taxablePaise}, 0, 0, 0, ${split.igstPaise}, ${split.roundOffPaise}, ${price},
      '${content}'::jsonb || jsonb_build_object('paymentId', i.payment,
        'item', jsonb_build_object('description', 'Plan', 'sac', '${plan.sac}', 'fromDate', i.day, 'toDate', i.until)), false
    from issued i join forms f on f.kind = i.kind and i.place > f.before and i.place <= f.before + f.last`);
  // Files of the customers that are read; rendering is measured by bench:paper.
  await run('analyze documents');
  await run(`insert into document_files select id, convert_to('%PDF ' || id, 'UTF8'), sha256(convert_to('%PDF ' || id, 'UTF8')), issued_at
    from documents where customer_id in (select customer_id from sessions)`);
  await run(
    `insert into document_series select series, financial_year, max(sequence), max(issued_at) from documents group by 1, 2`,
  );
}

/** Every capture in the chain, each hash over the one before. */
async function seedLedger(run: Run, price: number): Promise<void> {
  await run(`create function pg_temp.chain() returns table (o_n int, o_k int, o_position bigint, o_hash bytea, o_at timestamptz) language plpgsql as $$
    declare r record; before bytea := decode(repeat('00', 32), 'hex'); place bigint := 0;
    begin
      for r in select * from plan_of order by paid_at, n, k loop
        place := place + 1;
        before := sha256(before || convert_to(place || '|capture:' || r.payment || '|CAPTURED_FOR_CYCLE|' || r.payment || '|-|' || r.cycle || '|CUS-' || r.n
          || '|INR|' || round(extract(epoch from r.paid_at) * 1000)::bigint || '|cycles=-${price}|provider=${price}', 'UTF8'));
        o_n := r.n; o_k := r.k; o_position := place; o_hash := before; o_at := r.paid_at;
        return next;
      end loop;
    end $$`);
  await run(`insert into ledger_entries select 'capture:pay_' || o_n || '_' || o_k, 'CAPTURED_FOR_CYCLE', 'pay_' || o_n || '_' || o_k, null,
    'CYC-' || o_n || '-' || o_k, 'CUS-' || o_n, 'INR', o_at, o_position, o_hash from pg_temp.chain()`);
  await run('analyze ledger_entries');
  await run(`insert into ledger_lines select id, account, amount from ledger_entries,
    (values ('provider', ${price}), ('cycles', -${price})) l (account, amount)`);
  await run(`delete from ledger_head`);
  await run(
    `insert into ledger_head select true, position, hash, posted_at from ledger_entries order by position desc limit 1`,
  );
}
