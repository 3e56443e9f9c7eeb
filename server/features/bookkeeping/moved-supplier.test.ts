import { expect, onTestFinished, test } from 'vitest';
import { dayOf, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, monthOf, nextMonth } from '#shared/domain/month.ts';
import { readGstReturns } from '#server/features/documents/documents.ts';
import { readSettlements } from '#server/features/settlements/read.ts';
import { type Money, quiet, startMoney } from '#server/money-tests/test-money.ts';
import { startElsewhere } from '#server/money-tests/test-elsewhere.ts';
import { bookFaults, readGstr3bs, readInputTax, readTrialBalance } from './bookkeeping.ts';
import { gstr3bPapers } from './returns.ts';

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

test('GST on the fees of a month stays IGST or CGST and SGST when the provider moves to another State later', async () => {
  const money = await open();
  const today = dayOf(money.portal.clock());
  const month = monthOf(today);
  await settle(money);
  const before = await readInputTax(money.portal.db, month);
  expect(before).toEqual({ igstPaise: 540, cgstPaise: 0, sgstPaise: 0 });
  const closed = await readTrialBalance(money.portal.db, today);
  expect(closed.rows.find(({ account }) => account === 'input-igst')?.debitPaise).toBe(540);
  Object.assign(money.portal.settings, { supplierGstin: '29ZZZCA0001A1Z0', supplierPin: '560025' });
  await settle(money);
  expect(await readInputTax(money.portal.db, month)).toEqual({ igstPaise: 540, cgstPaise: 270, sgstPaise: 270 });
  expect(await bookFaults(money.portal.db)).toEqual([]);
});

test('a month without documents has a GSTR-3B with its input tax', async () => {
  const money = await open();
  const { db } = money.portal;
  const month = monthOf(dayOf(money.portal.clock()));
  const own = money.portal.settings.supplierGstin;
  await startElsewhere(money).paid();
  await money.standin('POST', '/standin/settlements', {});
  const next = nextMonth(month);
  const inNextMonth = { ...money.portal, clock: () => startOfDay(firstDayOf(next)) + 1000 };
  await readSettlements(inNextMonth);
  const { returns } = await readGstr3bs(db, next, await readGstReturns(db, next));
  expect([...returns.keys()]).toEqual([own]);
  expect(returns.get(own)).toMatchObject({
    taxable: { taxablePaise: 0 },
    inputTax: { igstPaise: 540, cgstPaise: 0, sgstPaise: 0 },
  });
});

test('the input tax of the month in which the provider moved is in no return, and that of later months in the new GSTIN’s', async () => {
  const money = await open();
  const { db } = money.portal;
  const own = money.portal.settings.supplierGstin;
  await settle(money);
  money.moveClock(31 * 86_400_000);
  const moved = { supplierGstin: '29ZZZCA0001A1Z0', supplierPin: '560025' };
  Object.assign(money.portal.settings, moved);
  await settle(money);
  const month = monthOf(dayOf(money.portal.clock()));
  const { returns, unassigned } = await readGstr3bs(db, month, await readGstReturns(db, month));
  const nothing = { igstPaise: 0, cgstPaise: 0, sgstPaise: 0 };
  const inputTaxes = (of: typeof returns) => Object.fromEntries([...of].map(([gstin, each]) => [gstin, each.inputTax]));
  expect(inputTaxes(returns)).toEqual({ [own]: nothing, [moved.supplierGstin]: nothing });
  const tax = { igstPaise: 0, cgstPaise: 270, sgstPaise: 270 };
  expect(unassigned).toEqual(tax);
  const { texts } = gstr3bPapers(month, { returns, unassigned });
  expect(texts.find(({ name }) => name === 'input-tax.txt')?.content).toContain(
    '(IGST ₹0, CGST ₹2.70, SGST/UTGST ₹2.70)',
  );
  money.moveClock(62 * 86_400_000);
  // The stand-in settles on the machine's day.
  await db.updateTable('settlement_reading').set({ read_until: null }).execute();
  await settle(money);
  const next = monthOf(dayOf(money.portal.clock()));
  const after = await readGstr3bs(db, next, await readGstReturns(db, next));
  expect(inputTaxes(after.returns)).toEqual({ [own]: nothing, [moved.supplierGstin]: tax });
  expect(after.unassigned).toBeNull();
});
