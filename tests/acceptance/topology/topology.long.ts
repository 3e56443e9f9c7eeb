import { expect, test } from 'vitest';
import { rehearse } from './rehearsal.ts';

/** `RATE=500 CUSTOMERS=20 npm run test:long -- topology`: every part of the compose file, killed and rolled. */
test('while customers call and pay, every part is killed and rolled: no other call fails, and every call and rupee is counted', async () => {
  const report = await rehearse({
    callsPerSecond: Number(process.env['RATE'] ?? 500),
    customers: Number(process.env['CUSTOMERS'] ?? 20),
    pauseMs: Number(process.env['PAUSE_MS'] ?? 5000),
    outageMs: Number(process.env['OUTAGE_MS'] ?? 10_000),
    say: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  expect(report.unexpected).toEqual({});
  expect(report).toMatchObject({ miscounted: [], strayPayments: [], ledgerFaults: [] });
});
