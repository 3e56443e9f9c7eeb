import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { dayOf } from '#shared/domain/day.ts';
import { readSettlements } from '#server/features/settlements/read.ts';
import { type PaidElsewhere, price, startElsewhere } from '#server/money-tests/test-elsewhere.ts';
import { type Money, quiet, startMoney } from '#server/money-tests/test-money.ts';

let money: Money;
let paid: PaidElsewhere;
let settlement: Record<string, unknown>;
const terminal = captureTerminal();
beforeAll(async () => {
  money = await startMoney();
  vi.stubEnv('DATABASE_URL', money.portal.settings.databaseUrl);
  const elsewhere = startElsewhere(money);
  paid = await elsewhere.paid();
  await money.behave({ ...quiet, settlements: 'ok' });
  settlement = await money.standin('POST', '/standin/settlements', {});
  await readSettlements(money.portal);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await money.close();
});

test('settlements are listed with UTR, fee and GST, and the exit code is 0 while nothing differs', async () => {
  expect(await run(['settlements'])).toBe(exitCodes.done);
  const row = terminal.out.split('\n').find((line) => line.includes(String(settlement['id'])));
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
  expect(terminal.out).toContain('No differences.');
});

const reportWithSettlements = z.looseObject({ settlements: z.array(z.looseObject({ settlementId: z.string() })) });

test('as JSON it has each payment with its settlement, UTR, fee and GST, and the differences, with exit code 3', async () => {
  const { portal } = money;
  await money.behave({ ...quiet, settlements: 'wrong-sum' });
  await startElsewhere(money).paid();
  await money.standin('POST', '/standin/settlements', {});
  await readSettlements(portal);
  expect(await run(['settlements', dayOf(Date.now()).slice(0, 7), '--json'])).toBe(exitCodes.faults);
  const report = reportWithSettlements.parse(JSON.parse(terminal.out));
  // Both were made in the same second, so either may come first.
  expect(report.settlements).toHaveLength(2);
  expect(report.settlements.find(({ settlementId }) => settlementId === settlement['id'])).toMatchObject({
    utr: settlement['utr'],
    items: [{ paymentId: paid.paymentId, amount: price / 100, fee: 35.38, gstOnFee: 5.4, net: 1463.62 }],
  });
  expect(report).toMatchObject({
    readUntil: dayOf(portal.clock()),
    differences: [{ kind: 'SUM_DIFFERS', found: 1464.62, expected: 1463.62 }],
  });
});
