import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { declareTransferTds } from '#shared/contract/bank-transfers.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { lastDayOf, monthOf } from '#shared/domain/month.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import {
  bookFaults,
  readOpenBalance,
  readTdsReceivable,
  readVouchers,
} from '#server/features/bookkeeping/bookkeeping.ts';
import { lockMonth } from '#server/features/period-locks/period-locks.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { sampleLetter } from '#server/test/portal.ts';
import { billed } from './test-credit.ts';
import { tdsInput } from './test-tds.ts';
import { adding, asking, type Asking } from './test-transfers.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

/** Tax that was deducted from a transfer of the last day of a quarter, which is recorded or answered about in the next one (decision 075). */

const cause = { actor: 'asha', reason: 'On the statement of the bank' };
const tan = 'MUMA12345B';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const today = () => dayOf(money.portal.clock());

/** Moves to the last day of a quarter, Razorpay too, which says when a credit came. */
async function toEndOfQuarter(): Promise<Day> {
  do money.moveClock(dayMs);
  while (quarterOf(today()) === quarterOf(addDays(today(), 1)));
  const { now } = z.object({ now: z.string() }).parse(await money.standin('POST', '/standin/clock', { advanceMs: 1 }));
  await money.standin('POST', '/standin/clock', { advanceMs: money.portal.clock() - Date.parse(now) });
  return today();
}

const record = (one: { cycleId: string }, utr: string, on: Day) =>
  actAsOperator(money.portal, 'finance', 'recordReceivedTransfer', { of: one.cycleId, utr, amount: 1372, on }, cause);

type Plan = Pick<Asking, 'customerId' | 'cycleId' | 'token'>;

async function held(one: Asking): Promise<string> {
  const { id } = await one.credit(137_200);
  await money.work(money.portal, 60_000);
  return String(id);
}

/** The day of the journal of the tax. */
async function journalOf({ customerId }: Plan): Promise<Day | undefined> {
  const vouchers = await readVouchers(money.portal.db, today());
  return vouchers.find((each) => each.customerId === customerId && each.id.startsWith('tds:'))?.on;
}

/** The tax is receivable for the quarter in which the money came, and its certificate is taken for it. */
async function expectQuarterOf(one: Plan, day: Day) {
  const quarter = quarterOf(day);
  const receivable = await readTdsReceivable(money.portal.db, today());
  expect(receivable.filter(({ customerId }) => customerId === one.customerId)).toMatchObject([
    { quarter, unproved: 1 },
  ]);
  const body = { tan, amount: 127, quarter, name: 'form-16a.pdf', certificate: sampleLetter };
  const { claim } = await money.ask(declareTds, { params: { billingCycleId: one.cycleId }, body }, one.token);
  await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId: claim?.id ?? '' }, cause);
  expect(await money.faults()).toEqual([]);
  expect(await bookFaults(money.portal.db)).toEqual([]);
}

test('a transfer recorded after the end of its quarter has tax of the quarter and the day on which it came', async () => {
  const came = await toEndOfQuarter();
  const one = await asking(money);
  money.moveClock(2 * dayMs);
  await record(one, 'SBIN326015120051', came);
  expect(await journalOf(one)).toBe(came);
  const thatDay = await readTdsReceivable(money.portal.db, came);
  expect(thatDay.filter(({ customerId }) => customerId === one.customerId)).toHaveLength(1);
  await expectQuarterOf(one, came);
});

test('a transfer of the last day of a quarter is recorded in the next one for a plan that nobody had asked to pay: tax of its quarter', async () => {
  const came = await toEndOfQuarter();
  const one = await adding(money);
  money.moveClock(2 * dayMs);
  await record(one, 'SBIN326015120053', came);
  expect(await journalOf(one)).toBe(came);
  await expectQuarterOf(one, came);
});

test('a held transfer settled after the end of its quarter has tax of the quarter and the day on which it came', async () => {
  const came = await toEndOfQuarter();
  const one = await asking(money);
  const paymentId = await held(one);
  money.moveClock(2 * dayMs);
  await actAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId }, cause);
  expect(await journalOf(one)).toBe(came);
  await expectQuarterOf(one, came);
});

test('a credit of which the portal hears after the end of its quarter has tax of the quarter and the day on which it came', async () => {
  const came = await toEndOfQuarter();
  const one = await asking(money);
  await money.ask(declareTransferTds, { body: { declared: { tan, percent: 10 } } }, one.token);
  await one.credit(137_200);
  money.moveClock(2 * dayMs);
  await money.work(money.portal, 60_000);
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  expect(await journalOf(one)).toBe(came);
  await expectQuarterOf(one, came);
});

test('where the month in which it came is locked, the journal has the day of the recording, and the quarter stays', async () => {
  const came = await toEndOfQuarter();
  const [one, other] = [await asking(money), await asking(money)];
  const paymentId = await held(other);
  money.moveClock(2 * dayMs);
  const month = monthOf(came);
  await lockMonth(money.portal.db, month, cause, () => readOpenBalance(money.portal.db, lastDayOf(month)));
  await record(one, 'SBIN326015120052', came);
  await actAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId }, cause);
  for (const each of [one, other]) {
    expect(await journalOf(each)).toBe(today());
    await expectQuarterOf(each, came);
  }
});

test('a certificate may name the quarter in which a bill was sold, also when it is paid in the next one', async () => {
  const last = await toEndOfQuarter();
  const [before, after] = [await billed(money), await billed(money)];
  const declare = async (one: typeof before) => {
    const { params, body } = tdsInput(money, one.cycleId, 12_700);
    const { claim } = await money.ask(declareTds, { params, body: { ...body, quarter: quarterOf(last) } }, one.token);
    expect(claim).toMatchObject({ quarter: quarterOf(last), status: 'WAITING' });
  };
  await declare(before);
  money.moveClock(dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: dayMs });
  for (const { token, cycleId } of [before, after]) await money.buy(token, cycleId);
  await declare(after);
  expect(await money.faults()).toEqual([]);
});
