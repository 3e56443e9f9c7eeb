import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, lastDayOf, type Month, monthBefore, monthOf, nextMonth } from '#shared/domain/month.ts';
import { readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import {
  isDayLocked,
  listPeriodLocks,
  lockMonth,
  readLockedBalances,
  timeInOpenMonth,
  unlockMonth,
} from './period-locks.ts';

const hourMs = 3_600_000;
let portal: TestPortal;
const by = { reason: 'GSTR-1 filed', actor: 'asha' };

const now = () => portal.portal.clock();
const month = (): Month => monthOf(dayOf(now()));
const lock = (locked: Month) =>
  lockMonth(portal.portal.db, locked, by, () => readTrialBalance(portal.portal.db, lastDayOf(locked)));
const reach = (day: string | null) => sql`update clock set reached_day = ${day}`.execute(portal.portal.db);
const moveTo = (ms: number) => portal.moveClock(ms - now());

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());
beforeEach(async () => {
  // Each test has a month of its own: its middle, two months after the one before.
  moveTo(startOfDay(addDays(firstDayOf(nextMonth(nextMonth(month()))), 14)));
});

test('a month is locked and unlocked with a reason, and both are recorded with the operator', async () => {
  const before = addDays(firstDayOf(month()), -1);
  await lock(monthOf(before));
  await unlockMonth(portal.portal.db, monthOf(before), { reason: ' A wrong GSTIN ', actor: 'vikram' });
  const records = (await listPeriodLocks(portal.portal.db)).filter((each) => each.month === monthOf(before));
  expect(records).toMatchObject([
    { action: 'LOCK', reason: 'GSTR-1 filed', operator: 'asha' },
    { action: 'UNLOCK', reason: 'A wrong GSTIN', operator: 'vikram' },
  ]);
  const now = Date.now();
  for (const { recordedAt } of records) expect(Math.abs(recordedAt.getTime() - now)).toBeLessThan(hourMs);
});

test('a second lock, an unlock of an open month, a missing reason and a text that is no month are refused', async () => {
  const { db } = portal.portal;
  const before = monthBefore(month());
  await expect(unlockMonth(db, before, by)).rejects.toThrow(`${before} isn't locked.`);
  await lock(before);
  await expect(lock(before)).rejects.toThrow(OperatorRefusal);
  await expect(unlockMonth(db, before, { ...by, reason: ' ' })).rejects.toThrow('Give a reason');
  await expect(lock('2026-13')).rejects.toThrow(RangeError);
});

test('a month that is not over cannot be locked, by the command or in the database', async () => {
  await reach(dayOf(now()));
  await expect(lock(month())).rejects.toThrow(/isn't over/);
  await expect(
    sql`insert into period_locks (month, action, reason, operator) values (${month()}, 'LOCK', 'early', 'asha')`.execute(
      portal.portal.db,
    ),
  ).rejects.toThrow(/is not over/);
  await reach(null);
});

test('the database refuses a document dated into a locked month, and records of locks never change', async () => {
  const { db } = portal.portal;
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const { db: owner } = portal.owner;
  const sold = month();
  moveTo(startOfDay(firstDayOf(nextMonth(sold))) + hourMs);
  await lock(sold);
  const copy = sql`insert into documents select 'DOC-copy', kind, 'COPY/1', series, financial_year, sequence + 1, issued_at, issued_on, customer_id,
    cycle_id, payment_id, refers_to, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise, round_off_paise, total_paise, content, needs_irn
    from documents where to_char(issued_on, 'YYYY-MM') = ${sold} limit 1`;
  await expect(copy.execute(db)).rejects.toThrow(/that month is locked/);
  await expect(sql`delete from period_locks`.execute(owner)).rejects.toThrow(/only added to/);
  await expect(sql`update period_locks set reason = 'another'`.execute(owner)).rejects.toThrow(/only added to/);
  await expect(sql`truncate period_locks`.execute(owner)).rejects.toThrow(/never emptied/);
  await unlockMonth(db, sold, by);
  // The next thing that stops the copy is its number.
  await expect(copy.execute(db)).rejects.not.toThrow(/that month is locked/);
});

test('a sale by a portal whose clock is still in the locked month is dated on the first day of the open one', async () => {
  const buyer = await newBuyer(portal);
  const over = month();
  const open = firstDayOf(nextMonth(over));
  await lock(over);
  // One second before midnight by this portal’s clock.
  moveTo(startOfDay(open) - 1000);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  expect(invoice?.date).toBe(open);
  await unlockMonth(portal.portal.db, over, by);
});

test('an amendment by a portal whose clock is still in the locked month is dated on the first day of the open one', async () => {
  const buyer = await newBuyer(portal, { gstin: '29ZZZCA0001A1Z0' });
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const over = month();
  const open = firstDayOf(nextMonth(over));
  await lock(over);
  moveTo(startOfDay(open) - hourMs);
  await portal.ask(updateProfile, { body: { ...sampleProfile, gstin: '29ZZZCA0002A1ZZ' } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
  const { db } = portal.portal;
  const amended = db
    .selectFrom('amendments')
    .select('amended_on')
    .where('document_id', '=', invoice?.id ?? '');
  expect(await amended.execute()).toEqual([{ amended_on: open }]);
  await unlockMonth(db, over, by);
});

test('a document is refused with the command that unlocks when its month is locked and does not end within a day', async () => {
  const { db } = portal.portal;
  const over = month();
  await lock(over);
  const wanted = now();
  await expect(transaction(db, (tx) => timeInOpenMonth(tx, wanted))).rejects.toThrow(
    new RegExp(`the books of ${over} are locked.*octroi accounts unlock ${over}`),
  );
  await unlockMonth(db, over, by);
  expect(await transaction(db, (tx) => timeInOpenMonth(tx, wanted))).toBe(wanted);
});

test('locking waits for documents that are being issued', async () => {
  const { db } = portal.portal;
  const over = monthBefore(month());
  const order: string[] = [];
  let locking: Promise<unknown> = Promise.resolve();
  await transaction(db, async (tx) => {
    expect(await isDayLocked(tx, firstDayOf(over))).toBe(false);
    locking = lock(over).then(() => order.push('locked'));
    await new Promise((done) => setTimeout(done, 300));
    order.push('issued');
  });
  await locking;
  expect(order).toEqual(['issued', 'locked']);
});

test('the trial balance of a locked month is kept', async () => {
  const { db } = portal.portal;
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const over = month();
  moveTo(startOfDay(firstDayOf(nextMonth(over))));
  await lock(over);
  expect((await readLockedBalances(db)).get(over)).toEqual(await readTrialBalance(db, lastDayOf(over)));
  await unlockMonth(db, over, by);
  expect((await readLockedBalances(db)).get(over)).toBeUndefined();
});
