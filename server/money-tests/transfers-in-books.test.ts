import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { lastDayOf, monthOf } from '#shared/domain/month.ts';
import {
  compareLockedMonths,
  monthFiles,
  readOpenBalance,
  readVouchers,
} from '#server/features/bookkeeping/bookkeeping.ts';
import { messagesOf } from '#server/features/bookkeeping/test-tally.ts';
import { readFigures } from '#server/features/figures/figures.ts';
import { lockMonth, unlockMonth } from '#server/features/period-locks/period-locks.ts';
import { readSettlements } from '#server/features/settlements/read.ts';
import { recordTransfer } from '#server/features/refunds/operator-transfers.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { startElsewhere } from './test-elsewhere.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

const today = () => dayOf(money.portal.clock());
const cause = { actor: 'asha', reason: 'Paid by NEFT' };

/** A refund of ₹100 that is to be transferred, started today. */
async function refundToTransfer(): Promise<string> {
  const { paymentId } = await elsewhere.paid();
  money.moveClock(200 * dayMs);
  await makeRefund(money.portal, { of: paymentId, amountPaise: 10_000, reason: 'Two days without service' }, 'asha');
  const { id } = await money.portal.db
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  return id;
}

const voucherOf = async (id: string) =>
  (await readVouchers(money.portal.db, today())).find((voucher) => voucher.id === `cash:paid:${id}`);

/** The cash of each day that had any, as the figures and as the books have it. */
async function cashSince(from: Day) {
  const { days } = await readFigures(money.portal, { from, to: today() }, today());
  const books = new Map<Day, number>();
  for (const { id, on, lines } of await readVouchers(money.portal.db, today())) {
    if (!/^cash:(capture|paid):/.test(id) || on < from) continue;
    for (const { account, amountPaise } of lines)
      if (account !== 'customers') books.set(on, (books.get(on) ?? 0) + amountPaise);
  }
  const figures = days.filter(({ cash }) => cash !== 0).map(({ day, cash }) => [day, cash]);
  return { figures, books: [...books].map(([day, paise]) => [day, paise / 100]) };
}

const lock = (month: string) =>
  lockMonth(money.portal.db, month, cause, () => readOpenBalance(money.portal.db, lastDayOf(month)));
const record = (id: string, utr: string, on: Day) => recordTransfer(money.portal, id, { utr, on }, cause);

test('a bank transfer is in the books and the figures on its own day, with its UTR', async () => {
  const first = today();
  const id = await refundToTransfer();
  const sent = today();
  money.moveClock(3 * dayMs);
  await record(id, 'SBIN326015123456', sent);
  const transfer = { utr: 'SBIN326015123456', on: sent };
  expect(await voucherOf(id)).toMatchObject({ on: sent, number: id, transfer });
  const { figures, books } = await cashSince(first);
  expect(figures).toEqual(books);
  expect(figures).toContainEqual([sent, -100]);
  const files = await monthFiles(money.portal.db, monthOf(sent), today());
  const voucher = messagesOf(files.get('tally-vouchers.xml') ?? '').find((each) => each.text('VOUCHERNUMBER') === id);
  const [allocation, ...others] = (voucher?.all('ALLLEDGERENTRIES.LIST') ?? []).flatMap((entry) =>
    entry.all('BANKALLOCATIONS.LIST'),
  );
  expect(others).toEqual([]);
  expect(['INSTRUMENTNUMBER', 'INSTRUMENTDATE', 'AMOUNT'].map((name) => allocation?.text(name))).toEqual([
    'SBIN326015123456',
    sent.replaceAll('-', ''),
    '100.00',
  ]);
  const lines = (files.get('day-book.csv') ?? '').split('\r\n').filter((line) => line.includes(`,${id},`));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toContain(`,${id},SBIN326015123456,${sent},`);
});

test('a transfer of a locked month is booked on the day of its recording, and stays there', async () => {
  const id = await refundToTransfer();
  const sent = today();
  money.moveClock(40 * dayMs);
  await lock(monthOf(sent));
  await record(id, 'SBIN326015123457', sent);
  const transfer = { utr: 'SBIN326015123457', on: sent };
  expect(await voucherOf(id)).toMatchObject({ on: today(), transfer });
  expect(await compareLockedMonths(money.portal.db)).toEqual({ changed: [], unknown: [] });
  const { figures, books } = await cashSince(addDays(sent, -1));
  expect(figures).toEqual(books);
  const recorded = today();
  await unlockMonth(money.portal.db, monthOf(sent), cause);
  money.moveClock(dayMs);
  expect(await voucherOf(id)).toMatchObject({ on: recorded, transfer });
  const moved = sql`update refunds set booked_on = transferred_on where id = ${id}`.execute(money.portal.db);
  await expect(moved).rejects.toThrow('cannot go');
});

test('a transfer of an open month changes no balance of a later month that is locked', async () => {
  const id = await refundToTransfer();
  const sent = today();
  money.moveClock(70 * dayMs);
  await lock(monthOf(addDays(lastDayOf(monthOf(sent)), 1)));
  await record(id, 'SBIN326015123458', sent);
  expect(await voucherOf(id)).toMatchObject({ on: today() });
  expect(await compareLockedMonths(money.portal.db)).toEqual({ changed: [], unknown: [] });
  expect(await money.faults()).toEqual([]);
});

test('a settlement keeps its UTR, and its voucher names it', async () => {
  await money.behave({ webhooks: { enabled: false } });
  const { db } = money.portal;
  await elsewhere.paid();
  await money.standin('POST', '/standin/settlements', {});
  await readSettlements(money.portal);
  const { settlement_id: id, utr } = await db.selectFrom('settlements').selectAll().executeTakeFirstOrThrow();
  const replaced = sql`update settlements set utr = 'HDFC0000000001' where settlement_id = ${id}`.execute(db);
  await expect(replaced).rejects.toThrow(`settlement ${id} cannot go`);
  const voucher = (await readVouchers(db, today())).find((each) => each.id === `settlement:${id}`);
  expect(voucher?.transfer?.utr).toBe(utr);
  expect(voucher?.narration).toContain(`(UTR ${utr} of `);
  // Without triggers, and with a seal of its own.
  const { rows } =
    await sql`select substr(fixed_of_settlements(o), 1, 64) = substr(fixed_of_settlements(n), 1, 64) as same
    from settlements o, lateral (select (jsonb_populate_record(o, '{"utr": "HDFC0000000001"}')).*) n
    where o.settlement_id = ${id}`.execute(db);
  expect(rows).toEqual([{ same: false }]);
});
