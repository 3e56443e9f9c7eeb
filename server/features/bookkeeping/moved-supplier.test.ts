import { expect, onTestFinished, test } from 'vitest';
import { dayOf, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, monthOf, nextMonth } from '#shared/domain/month.ts';
import { readSettlements } from '#server/features/settlements/read.ts';
import { type Money, quiet, startMoney } from '#server/money-tests/test-money.ts';
import { startElsewhere } from '#server/money-tests/test-elsewhere.ts';
import { bookFaults, exportsOfReturns, readTrialBalance } from './bookkeeping.ts';

async function open(): Promise<Money> {
  const money = await startMoney();
  onTestFinished(() => money.close());
  await money.behave({ ...quiet, settlements: 'ok' });
  return money;
}

const settle = async (money: Money) => {
  await startElsewhere(money).paid();
  await money.standin('POST', '/standin/settlements', {});
  await readSettlements(money.portal);
};

const inputAccounts = async ({ portal: { db, clock } }: Money) =>
  Object.fromEntries(
    (await readTrialBalance(db, dayOf(clock()))).rows
      .filter(({ account, debitPaise }) => account.startsWith('input-') && debitPaise > 0)
      .map(({ account, debitPaise }) => [account, debitPaise]),
  );

test('GST on the fees of a month stays IGST or CGST and SGST when the provider moves to another State later', async () => {
  const money = await open();
  await settle(money);
  expect(await inputAccounts(money)).toEqual({ 'input-igst': 540 });
  Object.assign(money.portal.settings, { supplierGstin: '29ZZZCA0001A1Z0', supplierPin: '560025' });
  await settle(money);
  expect(await inputAccounts(money)).toEqual({ 'input-igst': 540, 'input-cgst': 270, 'input-sgst': 270 });
  expect(await bookFaults(money.portal.db)).toEqual([]);
});

test('no GSTR-3B has input tax: the GST on fees is listed by the month of the payments', async () => {
  const money = await open();
  const { db } = money.portal;
  const month = monthOf(dayOf(money.portal.clock()));
  const own = money.portal.settings.supplierGstin;
  await startElsewhere(money).paid();
  await money.standin('POST', '/standin/settlements', {});
  const next = nextMonth(month);
  await readSettlements({ ...money.portal, clock: () => startOfDay(firstDayOf(next)) + 1000 });
  const early = await exportsOfReturns(db, month).gstr3b();
  expect([early.texts.map(({ name }) => name), early.reply.gstOnFees]).toEqual([
    [`${own}/gstr3b.json`, `${own}/gstr3b.csv`],
    null,
  ]);
  const { texts, reply } = await exportsOfReturns(db, next).gstr3b();
  const contents = new Map(texts.map(({ name, content }) => [name, content]));
  expect([...contents.keys()]).toEqual([`${own}/gstr3b.json`, `${own}/gstr3b.csv`, 'input-tax.csv']);
  expect(JSON.parse(contents.get(`${own}/gstr3b.json`) ?? '')).toMatchObject({
    itc_elg: { itc_net: { iamt: 0, camt: 0, samt: 0, csamt: 0 } },
  });
  expect(contents.get(`${own}/gstr3b.csv`)).toContain('GSTR-2B');
  expect(contents.get('input-tax.csv')).toMatch(new RegExp(`\r\n${month},setl_\\w+,\\w+,${next}-01,29.98,5.4\r\n$`));
  expect(reply.gstOnFees).toBe(5.4);
});
