import { parseArgs } from 'node:util';
import { dayOf } from '#shared/domain/day.ts';
import { sumDays } from '#server/features/bookkeeping/bookkeeping.ts';
import { fill, sampleOf, say, startServer, writeTable } from '#tests/bench/portal/fill.ts';
import { startPortal } from '#tests/bench/portal/portal.ts';
import { spread, spreadText } from '#tests/bench/portal/spread.ts';
import { type ConsoleCall, lists, requireInputs, searches } from './calls.ts';
import { addWork, operatorToken, soughtCustomer } from './work.ts';

/**
 * Compares the console of a portal with few customers to that of one with many: every search and list over HTTP, in turns on one machine. Writes
 * the table to docs/performance.md.
 */
const { values: options } = parseArgs({
  options: {
    customers: { type: 'string', default: '1000,100000' },
    'callers-among': { type: 'string', default: '50' },
    times: { type: 'string', default: '20' },
    server: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const sizes = options.customers.split(',').map(Number);
const times = Number(options.times);

async function ask(origin: string, { name, call, input, found = '' }: ConsoleCall): Promise<void> {
  const response = await fetch(`${origin}/backend/operator/calls/${call}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  });
  const body = await response.text();
  if (response.status !== 200 || !body.includes(found))
    throw new Error(`${name}: ${response.status} without ${found}: ${body.slice(0, 500)}`);
}

/** A portal that listens, with the calls for its size. */
async function openConsole(databaseUrl: string, customers: number) {
  const at = await startPortal(databaseUrl);
  // As the first round of a day does.
  await sumDays(at.portal.db, dayOf(Date.now()));
  const origin = await at.app.listen({ host: '127.0.0.1', port: 0 });
  const { number } = await at.portal.db
    .selectFrom('documents')
    .select('number')
    .where('customer_id', '=', `CUS-${soughtCustomer(customers)}`)
    .limit(1)
    .executeTakeFirstOrThrow();
  return { ...at, origin, calls: [...searches(customers, number), ...lists(customers)] };
}

/** A server whose databases are kept, so that they are filled once for several runs. */
const outside = (databaseUrl: string) => ({ databaseUrl, stop: async () => {} });

async function main(): Promise<void> {
  requireInputs([...searches(1000, 'OCT/26-27/1'), ...lists(1000)]);
  const { databaseUrl: serverUrl, stop } = options.server === undefined ? await startServer() : outside(options.server);
  try {
    const consoles = [];
    for (const customers of sizes) {
      const databaseUrl = await fill(serverUrl, {
        customers,
        callersAmong: Number(options['callers-among']),
        sample: sampleOf({}),
        add: (client) => addWork(client, customers),
      });
      consoles.push(await openConsole(databaseUrl, customers));
    }
    const rows = [
      `| p50 (p95) | ${sizes.map((size) => `${size.toLocaleString('en')} customers`).join(' | ')} | times |`,
      '|---|---:|---:|---:|',
    ];
    for (const index of consoles[0]?.calls.keys() ?? []) {
      const taken: number[][] = sizes.map(() => []);
      for (let turn = -1; turn < times; turn += 1) {
        for (const [at, { origin, calls }] of consoles.entries()) {
          const call = calls[index];
          if (call === undefined) throw new Error('the sizes have different calls');
          const began = performance.now();
          await ask(origin, call);
          if (turn >= 0) taken[at]?.push(performance.now() - began);
        }
      }
      const spreads = taken.map(spread);
      const ratio = (spreads.at(-1)?.[0] ?? 0) / (spreads[0]?.[0] || 1);
      const cells = spreads.map(spreadText);
      rows.push(`| ${consoles[0]?.calls[index]?.name} | ${cells.join(' | ')} | ${ratio.toFixed(1)} |`);
      say(rows.at(-1) ?? '');
    }
    if (options.write) writeTable('console', rows);
    for (const { close } of consoles) await close();
  } finally {
    await stop();
  }
}

await main();
