import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { dayOf } from '#domain/day.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { type PaidElsewhere, price, startElsewhere } from '#server/money-tests/test-elsewhere.ts';
import { type Money, quiet, startMoney } from '#server/money-tests/test-money.ts';
import { readSettlements } from './read.ts';

let money: Money;
let paid: PaidElsewhere;
let settlement: Record<string, unknown>;
beforeAll(async () => {
  money = await startMoney();
  const elsewhere = startElsewhere(money);
  paid = await elsewhere.paid();
  await money.behave({ ...quiet, settlements: 'ok' });
  settlement = await money.standin('POST', '/standin/settlements', {});
  await readSettlements(money.portal);
});
afterAll(() => money.close());

/** Runs the operator's command, and returns what it printed with its exit code. */
async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['--import', 'tsx', projectFolder('server', 'settlements.ts'), ...args];
  const env = { ...process.env, DATABASE_URL: money.portal.settings.databaseUrl, NODE_ENV: 'test' };
  const failed = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });
  return promisify(execFile)(process.execPath, command, { cwd: projectFolder(), env }).then(
    (printed) => ({ code: 0, ...printed }),
    (error: unknown) => failed.parse(error),
  );
}

test(
  'the command lists settlements with UTR, fee and GST, and exits with 0 while nothing differs',
  { timeout: 60_000 },
  async () => {
    const { code, stdout } = await run();
    expect(code).toBe(0);
    const row = stdout.split('\n').find((line) => line.includes(String(settlement['id'])));
    expect(row?.split(/ {2,}/).slice(1)).toEqual([
      settlement['id'],
      settlement['utr'],
      'processed',
      '₹1,499',
      '₹0',
      '₹0',
      '₹29.98',
      '₹5.40',
      '₹1,463.62',
    ]);
    expect(stdout).toContain('No differences.');
  },
);

test(
  'as JSON it has each payment with its settlement, UTR, fee and GST, and the differences',
  { timeout: 60_000 },
  async () => {
    const { portal } = money;
    await money.behave({ ...quiet, settlements: 'wrong-sum' });
    await startElsewhere(money).paid();
    await money.standin('POST', '/standin/settlements', {});
    await readSettlements(portal);
    const { code, stdout } = await run(dayOf(Date.now()).slice(0, 7), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      readUntil: dayOf(portal.clock()),
      settlements: [
        {
          settlementId: settlement['id'],
          utr: settlement['utr'],
          items: [
            { paymentId: paid.paymentId, amountPaise: price, feePaise: 3538, feeTaxPaise: 540, netPaise: 146_362 },
          ],
        },
        {},
      ],
      differences: [{ kind: 'SUM_DIFFERS', foundPaise: 146_462, expectedPaise: 146_362 }],
    });
  },
);

test('a month that is none is refused', { timeout: 60_000 }, async () => {
  expect(await run('2026-13')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Usage: npm run settlements'),
  });
});
