import type { PlanTerms } from '#shared/domain/plan.ts';
import { splitInclusive } from '#shared/domain/tax-split.ts';

type Run = (text: string) => Promise<unknown>;

/** The hash of a chain up to a row: `pg_temp.chain(content) over (order by … rows unbounded preceding)`. */
export const chainFunction = `
  create function pg_temp.link(before bytea, content text) returns bytea language plpgsql immutable as
    'begin return sha256(before || convert_to(content, ''UTF8'')); end';
  create aggregate pg_temp.chain(text) (sfunc = pg_temp.link, stype = bytea, initcond = '\\x${'00'.repeat(32)}')`;

/**
 * A voucher two days before each cycle and an invoice on its first day, in series that roll over as the product's do.
 */
export async function seedDocuments(run: Run, price: number, plan: PlanTerms): Promise<void> {
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
    `create temp table forms as select *, (sum(last) over (partition by kind order by place) - last)::bigint as before from document_series_forms`,
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
    from documents where customer_id in (select customer_id from members where id in (select member_id from sessions))`);
  await run(
    `insert into document_series select series, financial_year, max(sequence), max(issued_at) from documents group by 1, 2`,
  );
}

/** Every capture in the chain, each hash over the one before. */
export async function seedLedger(run: Run, price: number): Promise<void> {
  await run(`insert into ledger_entries select 'capture:' || payment, 'CAPTURED_FOR_CYCLE', payment, null, cycle, 'CUS-' || n, 'INR', paid_at,
      place, pg_temp.chain(place || '|capture:' || payment || '|CAPTURED_FOR_CYCLE|' || payment || '|-|' || cycle || '|CUS-' || n
        || '|INR|' || round(extract(epoch from paid_at) * 1000)::bigint || '|cycles=-${price}|provider=${price}')
      over (order by place rows unbounded preceding)
    from (select *, row_number() over (order by paid_at, n, k) as place from plan_of) p`);
  await run(`insert into ledger_lines select id, account, amount from ledger_entries,
    (values ('provider', ${price}), ('cycles', -${price})) l (account, amount)`);
  await run(`delete from ledger_head`);
  await run(
    `insert into ledger_head select true, position, hash, posted_at from ledger_entries order by position desc limit 1`,
  );
}

/** The tables with seals that a seed fills, and the columns that name a record. Of documents alone nothing moves. */
const sealedTables: Readonly<Record<string, string>> = {
  customers: 'r.id',
  members: 'r.id',
  profiles: 'r.customer_id',
  activations: 'r.id',
  api_keys: 'r.id',
  accountants: 'r.id',
  cycles: 'r.id',
  payment_orders: 'r.id',
  order_cycles: `r.order_id || '/' || r.cycle_id`,
  payments: 'r.provider_payment_id',
  documents: 'r.id',
};

/** A seal of each record, in the chain already: chaining millions of them takes the product's round hours. */
export async function seedSeals(run: Run): Promise<void> {
  // After the seals of what migrations and the portal wrote.
  await run(`do $$ begin
    perform chain_seals(2147483647);
    execute format('create aggregate pg_temp.chain_on(text) (sfunc = pg_temp.link, stype = bytea, initcond = %L)', (select hash from seal_head));
  end $$`);
  const seals = Object.entries(sealedTables).map(
    ([
      table,
      id,
    ]) => `select '${table}' as kind, ${id} as record_id, ${table === 'customers' ? 'r.id as customer_id' : 'r.customer_id'}, seal_of_${table}(r) as content,
        ${table === 'documents' ? 'null::bytea' : `fixed_of_${table}(r)`} as fixed from ${table} r`,
  );
  await run(`insert into record_seals (kind, record_id, customer_id, content, fixed, position, hash)
    select kind, record_id, customer_id, content, fixed, place,
      pg_temp.chain_on(concat_ws('|', place, kind, record_id, customer_id, encode(content, 'hex'), encode(fixed, 'hex')))
      over (order by place rows unbounded preceding)
    from (select *, (select position from seal_head) + row_number() over () as place from (
      ${seals.join('\n      union all ')}
      union all select 'document_files', r.document_id, d.customer_id, seal_of_document_files(r), null
        from document_files r join documents d on d.id = r.document_id
    ) records) numbered`);
  await run('analyze record_seals');
  await run(
    `update seal_head set (position, hash) = (select position, hash from record_seals order by position desc nulls last limit 1)`,
  );
}
