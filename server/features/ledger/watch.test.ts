import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';
import { isWholeCheckDue, readLedgerHealth, verifyLedger, verifyWholeLedger } from './watch.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

test('a check that is dated after now was not made: health is not ok, and the next one is due at once', async () => {
  const { portal } = money;
  const date = (column: 'checked_at' | 'whole_checked_at') =>
    portal.db.updateTable('ledger_checks').set(column, new Date('2099-01-01')).execute();
  await verifyLedger(portal);
  await verifyWholeLedger(portal);
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: true });
  await date('checked_at');
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: false, holds: true });
  await verifyLedger(portal);
  await date('whole_checked_at');
  expect(await isWholeCheckDue(portal)).toBe(true);
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: false, holds: true });
  await verifyWholeLedger(portal);
  expect(await isWholeCheckDue(portal)).toBe(false);
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: true });
});
