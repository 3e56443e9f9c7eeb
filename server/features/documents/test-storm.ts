import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Tx } from '#shared/database/connect.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { startOfDay } from '#shared/domain/day.ts';
import { bundleScript } from '#shared/platform/test-script.ts';
import { type WriterTask, writeInvoices } from './test-writer.ts';

const processes = 2;

const writer = bundleScript(`import { ${writeInvoices.name} } from '#server/features/documents/test-writer.ts';
  ${writeInvoices.name}(JSON.parse(process.env.TASK)).then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });`);

/** What the test left in the database, for each series and financial year. */
export interface SeriesLeft {
  financialYear: string;
  series: string;
  count: number;
  distinct: number;
  lowest: number;
  highest: number;
  lastNumber: number;
  /** Numbers whose issue time is before that of the number before them. */
  outOfOrder: number;
  kills: number;
}

/**
 * Runs two processes with 100 writers each that issue invoices while the financial year changes, kills and restarts one of them (kill -9)
 * again and again, and returns what is in the database at the end. `givenBefore`: the number of invoices in the first year before the test.
 */
export async function storm(options: {
  documents: number;
  killEveryMs: number;
  mostKills: number;
  givenBefore?: number;
}): Promise<SeriesLeft[]> {
  const database = await createTestDatabase();
  const { db } = database;
  try {
    const cycleIds = await seed(database.owner.db, options.documents, options.givenBefore ?? 0);
    const tasks = Array.from({ length: processes }, (_, index) => ({
      databaseUrl: database.databaseUrl,
      customerId: 'CUS-STORM',
      cycleIds: cycleIds.filter((_id, at) => at % processes === index),
      writers: 100,
      turnMs: startOfDay('2027-04-01'),
    }));
    let kills = 0;
    const start = (task: WriterTask) => {
      const child = startWriter(task);
      return { child, said: text(child.stderr), ended: once(child, 'exit') };
    };
    const startAndKill = async (task: WriterTask, on: TestDb | Tx) => {
      const writer = start(task);
      await waitForProgress(on, writer.child, options.killEveryMs);
      if (writer.child.exitCode === null) kills += writer.child.kill('SIGKILL') ? 1 : 0;
      return writer;
    };
    /** The first one can't end before it is killed, however late that is: the cycle that it comes to last is locked. */
    const startFirstVictim = (task: WriterTask) =>
      db.transaction().execute(async (tx) => {
        const [last = ''] = task.cycleIds;
        await tx.selectFrom('cycles').select('id').where('id', '=', last).forUpdate().executeTakeFirstOrThrow();
        return startAndKill(task, tx);
      });
    const startVictim = (task: WriterTask) => (kills === 0 ? startFirstVictim(task) : startAndKill(task, db));
    const live = async (task: WriterTask, index: number): Promise<void> => {
      for (;;) {
        const victim = (kills + index) % processes === 0 && kills < options.mostKills;
        const { child, said, ended } = await (victim ? startVictim(task) : start(task));
        await ended;
        if (child.exitCode === 0) return;
        if (child.signalCode !== 'SIGKILL') throw new Error(`a writer exited with ${child.exitCode}: ${await said}`);
      }
    };
    await Promise.all(tasks.map(live));
    const { rows } = await sql<Omit<SeriesLeft, 'kills'>>`
      select d.financial_year as "financialYear", d.series, count(*)::int as count, count(distinct d.number)::int as distinct,
        min(d.sequence) as lowest, max(d.sequence) as highest, max(s.last_number) as "lastNumber",
        count(*) filter (where d.issued_at < d.before)::int as "outOfOrder"
      from (select *, lag(issued_at) over (partition by series, financial_year order by sequence) as before from documents) d
        join document_series s using (series, financial_year)
      group by d.financial_year, d.series order by d.financial_year, d.series`.execute(db);
    return rows.map((row) => ({ ...row, kills }));
  } finally {
    await database.close();
  }
}

/** Expects that the series have so many documents in all, and each of their numbers once, in the order of time. */
export function expectUnbroken(series: readonly SeriesLeft[], documents: number): void {
  expect(series.reduce((sum, { count }) => sum + count, 0)).toBe(documents);
  for (const { count, distinct, lowest, highest, lastNumber, outOfOrder } of series) {
    expect({ distinct, count, lastNumber, outOfOrder }).toEqual({
      distinct: count,
      count: highest - lowest + 1,
      lastNumber: highest,
      outOfOrder: 0,
    });
  }
}

type TestDb = Awaited<ReturnType<typeof createTestDatabase>>['db'];

/** A customer with `count` cycles that were paid and have ended, and a year in which `givenBefore` invoices were issued. */
async function seed(db: TestDb, count: number, givenBefore: number): Promise<string[]> {
  await db.transaction().execute(async (tx) => {
    // Other tests cover how such rows come about: skip the triggers of payments and the ledger here.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into customers values ('CUS-STORM', 's@example.com', 'S', 'S', 'S', '', now())`.execute(tx);
    await sql`insert into activations values ('ACT-STORM', 'CUS-STORM', 'tax-lookup-api', now())`.execute(tx);
    await sql`insert into cycles (id, activation_id, customer_id, service_id, status, from_date, to_date, plan, tenure,
        price_paise, daily_quota, monthly_quota, rps, created_at, paid_at)
      select 'CYC-' || n, 'ACT-STORM', 'CUS-STORM', 'tax-lookup-api', 'DEACTIVATED', '2027-03-01', '2027-03-31', '{}',
        'MONTHLY', 149900, 1, 1, 1, now(), now() from generate_series(1, ${sql.lit(count)}) n`.execute(tx);
    await sql`insert into payment_orders (id, cycle_id, activation_id, customer_id, amount_paise, currency, status, created_at)
      select 'ORD-' || id, id, activation_id, customer_id, price_paise, 'INR', 'PAID', now() from cycles`.execute(tx);
    await sql`insert into order_cycles (order_id, cycle_id, activation_id, customer_id, place, amount_paise, live)
      select 'ORD-' || id, id, activation_id, customer_id, 1, price_paise, false from cycles`.execute(tx);
    await sql`insert into payments (provider_payment_id, order_id, cycle_id, customer_id, amount_paise, currency, status,
        method, created_at, captured_at, use)
      select 'pay_' || id, 'ORD-' || id, id, customer_id, price_paise, 'INR', 'captured', 'card', now(), now(), 'CYCLE'
      from cycles`.execute(tx);
    if (givenBefore > 0) {
      await sql`insert into document_series values ('INVOICE', '2026-27', ${givenBefore}, '2026-04-01')`.execute(tx);
    }
  });
  return Array.from({ length: count }, (_, index) => `CYC-${index + 1}`);
}

function startWriter(task: WriterTask) {
  return spawn(process.execPath, [writer], {
    env: { ...process.env, TASK: JSON.stringify(task) },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
}

/** Waits until documents are being written, then `ms` longer; returns early when the process exits. */
async function waitForProgress(db: TestDb | Tx, child: { exitCode: number | null }, ms: number): Promise<void> {
  const before = await countDocuments(db);
  while (child.exitCode === null && (await countDocuments(db)) === before) await sleep(20);
  if (child.exitCode === null) await sleep(ms);
}

async function countDocuments(db: TestDb | Tx): Promise<number> {
  const { count } = await db
    .selectFrom('documents')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
