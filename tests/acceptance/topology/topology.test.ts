import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { pairOfServers } from './pair.ts';
import { rehearse } from './rehearsal.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;

// Debian: apt-get install nginx-light.
describe.skipIf(!hasNginx)('the compose file as processes (skipped where the program nginx is not installed)', () => {
  test('while customers call and pay, one of each part is killed or rolled: no other call fails, and every call and rupee is counted', async () => {
    const report = await rehearse({
      callsPerSecond: Number(process.env['RATE'] ?? 40),
      customers: 3,
      // Short: the next part goes as soon as the one before is back.
      pauseMs: 500,
      database: pairOfServers,
      gateways: 2,
      disruptions: () => [
        'kill gateway-1',
        'roll gateway-2',
        'roll portal-1',
        'kill products-1',
        'fail over PostgreSQL',
      ],
    });
    expect(report.unexpected).toEqual({});
    expect(report).toMatchObject({ miscounted: [], strayPayments: [], ledgerFaults: [] });
    expect(report.counted).toBeGreaterThan(100);
    expect(report.customersPaid).toBeGreaterThan(3);
  }, 240_000);
});
