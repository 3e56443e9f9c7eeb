import { expect, test } from 'vitest';
import { oneServer } from './databases.ts';
import { patroniPair } from './patroni.ts';
import { rehearse, type RehearsalOptions } from './rehearsal.ts';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

async function rehearseAll(options: Pick<RehearsalOptions, 'database' | 'gateways' | 'disruptions'>) {
  const report = await rehearse({
    callsPerSecond: Number(process.env['RATE'] ?? 500),
    customers: Number(process.env['CUSTOMERS'] ?? 20),
    pauseMs: Number(process.env['PAUSE_MS'] ?? 5000),
    ...options,
    say,
  });
  say(JSON.stringify(report, undefined, 2));
  return report;
}
const nothingLost = { unexpected: {}, miscounted: [], strayPayments: [], ledgerFaults: [] };

/** `RATE=500 CUSTOMERS=20 npm run test:long -- topology`: every part of the compose file, killed and rolled. */
test('while customers call and pay, every part is killed and rolled: no other call fails, and every call and rupee is counted', async () => {
  const database = oneServer(Number(process.env['OUTAGE_MS'] ?? 10_000));
  expect(await rehearseAll({ database, gateways: 2 })).toMatchObject(nothingLost);
});

const disruptions = (all: readonly string[]): string[] => [
  ...all.filter((name) => name.startsWith('roll ')),
  'fail over PostgreSQL',
  'switch over PostgreSQL',
  'fail over PostgreSQL',
];

test('four gateways and a PostgreSQL that follows another under Patroni: it fails over, is switched over, and each process is rolled in turn', async () => {
  expect(await rehearseAll({ database: patroniPair(say), gateways: 4, disruptions })).toMatchObject(nothingLost);
});
