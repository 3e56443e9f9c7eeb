import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice, readPurchaseRegister } from '#shared/contract/documents.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { gstReturnOf, netOf } from '#shared/domain/gst-return.ts';
import { gstr1Json } from '#shared/domain/gst-return-json.ts';
import { monthOf, nextMonth } from '#shared/domain/month.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { runRounds } from '#server/start-rounds.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { readGstReturn, readGstReturns } from './gstr1.ts';
import { newBuyer } from './test-buyer.ts';

const dayMs = 86_400_000;
let portal: TestPortal;
let months: string[];
let buyers: Awaited<ReturnType<typeof newBuyer>>[];

const month = () => monthOf(dayOf(portal.portal.clock()));

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
  months = [month()];
  const profiles = [{}, placeIn('27'), { gstin: '29ZZZCA0001A1Z0' }, { gstin: '27ZZZFA0003C2ZR', ...placeIn('27') }];
  buyers = [];
  for (const profile of profiles) {
    buyers.push(await newBuyer(portal, { legalName: '=HYPERLINK("http://x")', ...profile }));
  }
  // Two months with every case: bought, prepaid, refunded, started, corrected.
  for (const buyer of buyers) await buyer.buy(0);
  const [first, second, third, fourth] = buyers;
  if (!first || !second || !third || !fourth) throw new Error('four buyers');
  await first.buy(31, 'starter');
  await second.end(await second.buy(40, 'scale'));
  await third.buy(35, 'scale');
  const [invoice] = await fourth.documents();
  await portal.ask(updateProfile, { body: { ...sampleProfile, legalName: '=HYPERLINK("http://y")' } }, fourth.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, fourth.token);
  portal.moveClock(36 * dayMs);
  if (month() !== months[0]) months.push(month());
  await runRounds(portal.portal);
  const waiting = await third.buy(60);
  portal.moveClock(dayMs);
  await third.end(waiting);
  if (month() !== months.at(-1)) months.push(month());
});
afterAll(() => portal.close());

/** The ledger's total for cycles: captured for them, less refunds due. */
async function ledgerPaise(): Promise<number> {
  const { rows } = await sql<{ paise: number }>`
    select -coalesce(sum(amount_paise), 0) as paise from ledger_lines where account = 'cycles'`.execute(
    portal.portal.db,
  );
  return Number(rows[0]?.paise);
}

test('the returns of all months add up to the ledger’s total for cycles, and each return to its taxes', async () => {
  let total = 0;
  for (const each of months) {
    const net = netOf(await readGstReturn(portal.portal.db, each));
    total += net.totalPaise;
  }
  expect(total).toBeGreaterThan(0);
  expect(total).toBe(await ledgerPaise());
});

test('the customers’ purchase registers add up to the same total, and no cell is a formula', async () => {
  let totalPaise = 0;
  let advancesPaise = 0;
  for (const buyer of buyers) {
    const params = { from: '2020-01-01', to: '2099-12-31' };
    const { downloadUrl } = await portal.ask(readPurchaseRegister, { params }, buyer.token);
    const text = await (await fetch(downloadUrl)).text();
    const [head = '', ...lines] = text.replace('\ufeff', '').trim().split('\r\n');
    expect(head).toMatch(/^Document,Number,Date,/);
    // The columns after it contain no commas.
    const at = head.split(',').indexOf('Total') - head.split(',').length;
    for (const line of lines) {
      // From the first day to the last of thirty.
      const [, fromDate = '', toDate = ''] = /,(\d{4}-\d\d-\d\d),(\d{4}-\d\d-\d\d),\d/.exec(line) ?? [];
      expect(toDate).toBe(addDays(fromDate, 29));
      const paise = Math.round(Number(line.split(',').at(at)) * 100);
      const [kind = ''] = line.split(',');
      totalPaise += paise;
      // The invoice of an advance repeats the advance's amount.
      if (kind === 'Tax invoice' && /\/R\d{4},/.test(line)) advancesPaise += paise;
    }
    expect(text).not.toMatch(/(^|,|\n)"?[=+@]/);
    const others = await fetch(downloadUrl.replace('2020-01-01', '2020-01-02'));
    expect(others.status).toBe(404);
  }
  expect(totalPaise - advancesPaise).toBe(await ledgerPaise());
});

test('a month without documents has a nil return, and one before any document has none', async () => {
  const later = nextMonth(nextMonth(monthOf(dayOf(portal.portal.clock()))));
  const returns = await readGstReturns(portal.portal.db, later);
  expect([...returns.keys()]).toEqual([portal.portal.settings.supplierGstin]);
  const file = gstr1Json(
    portal.portal.settings.supplierGstin,
    later,
    [...returns.values()][0] ?? gstReturnOf(later, []),
  );
  expect(file).toEqual({ gstin: portal.portal.settings.supplierGstin, fp: `${later.slice(5)}${later.slice(0, 4)}` });
  expect((await readGstReturns(portal.portal.db, '2020-01')).size).toBe(0);
});

test('a text that is not a month is refused', async () => {
  await expect(readGstReturn(portal.portal.db, '2026-13')).rejects.toThrow(RangeError);
});
