import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { seededCallers } from '#shared/database/seed.ts';
import { verifyLedger, verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { deleteOldRows } from '#server/retention/delete-old.ts';
import { runRounds } from '#server/start-rounds.ts';
import { fill, sampleOf, say, startServer, writeTable } from './fill.ts';
import { startPortal } from './portal.ts';
import { readCalls } from './reads.ts';

/**
 * Compares a portal with few customers to one with many, in turns on one machine, and writes the table to
 * docs/performance.md.
 */
const { values: options } = parseArgs({
  options: {
    customers: { type: 'string', default: '1000,100000' },
    'callers-among': { type: 'string', default: '10' },
    times: { type: 'string', default: '15' },
    product: { type: 'string' },
    plan: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const sizes = options.customers.split(',').map(Number);
const callersAmong = Number(options['callers-among']);
const times = Number(options.times);
/** The customers who read: they exist in every size. */
const callers = seededCallers(Math.min(...sizes), callersAmong);
const sample = sampleOf(options);

/** An operation to measure; `times` is smaller for slow ones. */
interface Operation {
  name: string;
  times: number;
  act: (at: Awaited<ReturnType<typeof startPortal>>, turn: number) => Promise<unknown>;
}

const today = new Date().toISOString().slice(0, 10);

const rounds: Operation[] = [
  {
    name: 'first round of a day',
    times: 3,
    act: async ({ portal }) => {
      await portal.db.deleteFrom('daily_rounds').execute();
      await runRounds(portal);
    },
  },
  { name: 'minute round', times, act: ({ portal }) => runRounds(portal) },
  {
    name: 'deleting old rows',
    times: 3,
    act: ({ portal }) => deleteOldRows(portal.db, { machine: new Date(), today }),
  },
  {
    name: 'ledger: new entries, ten customers changed',
    times,
    act: async ({ portal }) => {
      await portal.db
        .updateTable('cycles')
        .set((set) => ({ ended_at: set.ref('ended_at') }))
        .where('customer_id', 'in', tenCustomers)
        .execute();
      await verifyLedger(portal);
    },
  },
  { name: 'ledger: nothing new', times, act: ({ portal }) => verifyLedger(portal) },
];
/** Last, since it takes longest. */
const nightly: Operation = {
  name: 'ledger: all of it (nightly)',
  times: 1,
  act: ({ portal }) => verifyWholeLedger(portal),
};
const tenCustomers = Array.from({ length: 10 }, (_, n) => `CUS-${n + 11}`);

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const shown = (ms: number): string => (ms < 100 ? ms.toFixed(1) : Math.round(ms).toString());

async function main(): Promise<void> {
  const reads = (await readCalls(sample)).map(({ name, act }) => ({
    name,
    times,
    // Each turn another customer, so that limits per minute are not reached.
    act: (at: Awaited<ReturnType<typeof startPortal>>, turn: number) => act(at, callers[turn % callers.length] ?? 0),
  }));
  const { databaseUrl, stop } = await startServer();
  try {
    const portals = [];
    for (const customers of sizes)
      portals.push(await startPortal(await fill(databaseUrl, { customers, callersAmong, sample, add: checkLedger })));
    const rows = [
      `| | ${sizes.map((size) => `${size.toLocaleString('en')} customers`).join(' | ')} | times |`,
      '|---|---:|---:|---:|',
    ];
    const add = (name: string, taken: number[]): void => {
      const ratio = (taken.at(-1) ?? 0) / (taken[0] || 1);
      rows.push(`| ${name} | ${taken.map((ms) => `${shown(ms)} ms`).join(' | ')} | ${ratio.toFixed(1)} |`);
      say(rows.at(-1) ?? '');
    };
    add(
      'start-up',
      portals.map(({ startMs }) => startMs),
    );
    for (const operation of [...rounds, ...reads, nightly]) {
      const taken: number[][] = sizes.map(() => []);
      for (let turn = 0; turn < operation.times; turn += 1) {
        for (const [index, at] of portals.entries()) {
          if (operation.times > 1 && turn === 0) await operation.act(at, operation.times);
          const began = performance.now();
          await operation.act(at, turn);
          taken[index]?.push(performance.now() - began);
        }
      }
      add(operation.name, taken.map(median));
    }
    for (const { portal } of portals) {
      const check = await portal.db.selectFrom('ledger_checks').selectAll().executeTakeFirstOrThrow();
      const faults = [...check.faults, ...check.whole_faults];
      if (faults.length > 0) throw new Error(`the seeded data is inconsistent: ${faults.slice(0, 5).join('; ')}`);
    }
    if (options.write) writeTable('portal', rows);
    for (const { close } of portals) await close();
  } finally {
    await stop();
  }
}

/** As if the ledger had been checked up to here, so that the check of each minute has little to read. */
async function checkLedger(client: Client): Promise<void> {
  await client.query(
    'insert into ledger_checks (checked_at, position, hash, faults) select now(), position, hash, $1 from ledger_head',
    ['[]'],
  );
}

await main();
