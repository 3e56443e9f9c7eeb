import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { transaction } from '#shared/database/transaction.ts';
import { bookAccounts } from '#shared/domain/book-accounts.ts';
import { readBookPeriod } from '#shared/domain/book-period.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { firstDayOfFinancialYear } from '#shared/domain/financial-year.ts';
import { gstr3bOf, outputTaxOf } from '#shared/domain/gst-return-3b.ts';
import { netOf } from '#shared/domain/gst-return.ts';
import { monthOf } from '#shared/domain/month.ts';
import { balancesOf, closedBalancesOf } from '#shared/domain/trial-balance.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { readGstReturn } from '#server/features/documents/gstr1.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { runRounds } from '#server/start-rounds.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { bookFaults, monthFiles, periodFiles, readBooks, readTrialBalance, readVouchers } from './bookkeeping.ts';
import { messagesOf } from './test-tally.ts';

const dayMs = 86_400_000;
let portal: TestPortal;
/** Every month in which something was booked. */
let later: Awaited<ReturnType<typeof newBuyer>>;
let months: string[];

const today = (): Day => dayOf(portal.portal.clock());

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
  const profiles = [
    { legalName: 'Kaveri & Söhne <Traders>' },
    placeIn('27'),
    { gstin: '29ZZZCA0001A1Z0' },
    { gstin: '27ZZZFA0003C2ZR', ...placeIn('27') },
    { country: 'SG', stateCode: '96', pin: '018956', city: 'Singapore' },
  ];
  const buyers: Awaited<ReturnType<typeof newBuyer>>[] = [];
  for (const profile of profiles) buyers.push(await newBuyer(portal, profile));
  const first = today();
  // Bought, prepaid, refunded before and after the start, corrected: over three months.
  for (const buyer of buyers) await buyer.buy(0);
  const [one, two, three, four, five] = buyers;
  if (!one || !two || !three || !four || !five) throw new Error('five buyers');
  later = three;
  await one.buy(31, 'starter');
  await two.end(await two.buy(40, 'scale'));
  await three.buy(35, 'scale');
  // What is left of the advance has other tax, split by itself, than the advance less what was refunded of it.
  const order = { of: await five.buy(34), amountPaise: 10_001, reason: 'A day without service' };
  await makeRefund(portal.portal, order, 'asha');
  const [invoice] = await four.documents();
  await portal.ask(updateProfile, { body: { ...sampleProfile, legalName: 'Renamed Traders' } }, four.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, four.token);
  portal.moveClock(36 * dayMs);
  await runRounds(portal.portal);
  await three.end(await three.buy(60));
  await two.end(await two.buy(0));
  months = [first, addDays(first, 31), today()]
    .map(monthOf)
    .filter((month, index, all) => all.indexOf(month) === index);
});
afterAll(() => portal.close());

test('the books agree with the ledger: with the provider, owed as refunds, and kept for cycles', async () => {
  expect(await bookFaults(portal.portal.db)).toEqual([]);
  const books = balancesOf(await readVouchers(portal.portal.db, today()));
  for (const account of ['revenue', 'deferred-revenue'] as const) expect(books.get(account)).toBeLessThan(0);
  expect(books.get('gateway')).toBeGreaterThan(0);
});

test('a document over another amount than was paid makes the books differ from the ledger', async () => {
  const addToInvoice = (paise: number) =>
    transaction(portal.owner.db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update documents set taxable_paise = taxable_paise + ${paise}, total_paise = total_paise + ${paise}
        where id = (select min(id) from documents where kind = 'INVOICE' and refers_to is null)`.execute(tx);
    });
  await addToInvoice(100);
  expect(await bookFaults(portal.portal.db)).toHaveLength(2);
  await addToInvoice(-100);
  expect(await bookFaults(portal.portal.db)).toEqual([]);
});

test('tax payable is the tax of GSTR-1 and GSTR-3B of all months', async () => {
  const books = balancesOf(await readVouchers(portal.portal.db, today()));
  const payable = { igstPaise: 0, cgstPaise: 0, sgstPaise: 0 };
  for (const month of months) {
    const gstReturn = await readGstReturn(portal.portal.db, month);
    const net = netOf(gstReturn);
    const tax = outputTaxOf(gstr3bOf(gstReturn));
    expect(tax).toEqual({ igstPaise: net.igstPaise, cgstPaise: net.cgstPaise, sgstPaise: net.sgstPaise });
    for (const kind of ['igstPaise', 'cgstPaise', 'sgstPaise'] as const) payable[kind] += tax[kind];
  }
  expect(payable.igstPaise).toBeGreaterThan(0);
  expect([payable.igstPaise, payable.cgstPaise, payable.sgstPaise]).toEqual([
    -(books.get('output-igst') ?? 0),
    -(books.get('output-cgst') ?? 0),
    -(books.get('output-sgst') ?? 0),
  ]);
});

test('the trial balance of a day that is over stays as it was, whatever happens later', async () => {
  const before = await readTrialBalance(portal.portal.db, addDays(today(), -20));
  const later = await newBuyer(portal, {});
  await later.buy(0);
  expect(await readTrialBalance(portal.portal.db, addDays(today(), -20))).toEqual(before);
});

test('Tally’s vouchers balance one by one, and together to the movement of the month', async () => {
  for (const month of months) {
    const files = await monthFiles(portal.portal.db, month, today());
    const vouchers = messagesOf(files.get('tally-vouchers.xml') ?? '');
    const masters = new Set(
      messagesOf(files.get('tally-masters.xml') ?? '').map(({ attributes }) => attributes['NAME']),
    );
    const sums = new Map<string, number>();
    for (const voucher of vouchers) {
      expect(voucher.text('DATE').slice(0, 6)).toBe(month.replace('-', ''));
      expect(['Sales', 'Credit Note', 'Receipt', 'Payment', 'Journal']).toContain(voucher.text('VOUCHERTYPENAME'));
      let sum = 0;
      for (const entry of voucher.all('ALLLEDGERENTRIES.LIST')) {
        const amount = Math.round(Number(entry.text('AMOUNT')) * 100);
        expect(entry.text('AMOUNT')).toMatch(/^-?\d+\.\d\d$/);
        expect(entry.text('ISDEEMEDPOSITIVE')).toBe(amount < 0 ? 'Yes' : 'No');
        // Every ledger has its master, so that no import stops at it.
        expect(masters).toContain(entry.text('LEDGERNAME'));
        sum += amount;
        sums.set(entry.text('LEDGERNAME'), (sums.get(entry.text('LEDGERNAME')) ?? 0) - amount);
      }
      expect(sum).toBe(0);
    }
    expect(new Set(vouchers.map(({ attributes }) => attributes['REMOTEID'])).size).toBe(vouchers.length);
    const own = (await readVouchers(portal.portal.db, today())).filter(({ on }) => monthOf(on) === month);
    expect(vouchers).toHaveLength(own.length);
    const ofAccounts = [...balancesOf(own)].filter(([account]) => account !== 'customers');
    for (const [account, paise] of ofAccounts) expect(sums.get(bookAccounts[account].title)).toBe(paise);
  }
});

test('the files of a financial year open with what the year before left', async () => {
  const year = Number(firstDayOfFinancialYear(today()).slice(0, 4)) + 1;
  const period = readBookPeriod(`${year}-${String((year + 1) % 100)}`);
  const files = await periodFiles(portal.portal.db, period, today(), await readBooks(portal.portal.db));
  const masters = messagesOf(files.get('tally-masters.xml') ?? '').filter(({ name }) => name === 'LEDGER');
  const opening = new Map(
    masters.map((each) => [each.attributes['NAME'] ?? '', 0 - Math.round(Number(each.text('OPENINGBALANCE')) * 100)]),
  );
  const balances = closedBalancesOf(await readVouchers(portal.portal.db, today()), period.from);
  const left = [...balances]
    .filter(([account]) => account !== 'customers')
    .map(([account, paise]) => [bookAccounts[account].title, paise + 0] as const);
  expect(left.map(([title]) => [title, opening.get(title)])).toEqual(left);
  expect(opening.get('Profit and loss of earlier years')).toBeLessThan(0);
  expect([...opening.values()].reduce((sum, paise) => sum + paise, 0)).toBe(0);
  expect(messagesOf(files.get('tally-vouchers.xml') ?? '')).toEqual([]);
  // Those of a month open nothing: Tally carries its balances on.
  expect((await monthFiles(portal.portal.db, months[0] ?? '', today())).get('tally-masters.xml')).not.toContain(
    'OPENINGB',
  );
});

test('vouchers and the sales register name the registration of the provider', async () => {
  const files = await monthFiles(portal.portal.db, months[0] ?? '', today());
  const sale = messagesOf(files.get('tally-vouchers.xml') ?? '').find(
    (each) => each.text('VOUCHERTYPENAME') === 'Sales',
  );
  expect([sale?.text('CMPGSTIN'), sale?.text('CMPGSTSTATE')]).toEqual(['27ZZZCA0001A1Z4', 'Maharashtra']);
  expect(files.get('sales-register.csv')).toMatch(/^[^\r]*,Supplier GSTIN,[^]*,27ZZZCA0001A1Z4,/);
});

test('Tally’s masters have groups, tax ledgers with their heads, and parties with GSTIN and State', async () => {
  const [first = ''] = months;
  const files = await monthFiles(portal.portal.db, first, today());
  const masters = messagesOf(files.get('tally-masters.xml') ?? '');
  const ledgers = new Map(
    masters.filter(({ name }) => name === 'LEDGER').map((each) => [each.attributes['NAME'] ?? '', each]),
  );
  const groups = masters.filter(({ name }) => name === 'GROUP').map(({ attributes }) => attributes['NAME']);
  expect(groups).toEqual(['API customers', 'GST payable', 'GST input credit']);
  expect(ledgers.get('IGST payable')?.text('GSTDUTYHEAD')).toBe('IGST');
  const parties = [...ledgers.values()].filter((each) => each.text('PARENT') === 'API customers');
  const odd = parties.find((party) => party.attributes['NAME']?.startsWith('Kaveri & Söhne <Traders> (CUS-'));
  expect([odd?.text('LEDSTATENAME'), odd?.text('GSTREGISTRATIONTYPE')]).toEqual(['Karnataka', 'Unregistered/Consumer']);
  expect(parties.map((party) => party.text('PARTYGSTIN'))).toContain('29ZZZCA0001A1Z0');
  // The customer has a new name; the ledger keeps the one of its first document.
  const renamed = parties.find((party) => party.text('MAILINGNAME') === 'Renamed Traders');
  expect(renamed?.attributes['NAME']).toMatch(/^Kaveri Traders \(CUS-/);
});

test('the masters of a month that is over stay the same, whatever becomes of the business details', async () => {
  const [first = ''] = months;
  const masters = async () => (await monthFiles(portal.portal.db, first, today())).get('tally-masters.xml');
  const before = await masters();
  await portal.ask(
    updateProfile,
    { body: { ...sampleProfile, legalName: 'Moved Traders', ...placeIn('27') } },
    later.token,
  );
  expect(await masters()).toBe(before);
});

test('a sale in Tally names the buyer of the document, a credit note its invoice', async () => {
  const [first = ''] = months;
  const files = await monthFiles(portal.portal.db, first, today());
  const vouchers = messagesOf(files.get('tally-vouchers.xml') ?? '');
  const note = vouchers.find((voucher) => voucher.text('VOUCHERTYPENAME') === 'Credit Note');
  const invoice = vouchers.find((voucher) => voucher.text('VOUCHERNUMBER') === note?.text('REFERENCE'));
  expect(invoice?.text('VOUCHERTYPENAME')).toBe('Sales');
  expect([note?.text('PARTYGSTIN'), note?.text('STATENAME')]).toEqual(['27ZZZFA0003C2ZR', 'Maharashtra']);
  expect(note?.text('PARTYLEDGERNAME')).toBe(invoice?.text('PARTYLEDGERNAME'));
});

test('sales register and day book add up to the documents and the vouchers of the month', async () => {
  for (const month of months) {
    const files = await monthFiles(portal.portal.db, month, today());
    const cells = (name: string) => {
      const [head = '', ...lines] = (files.get(name) ?? '').trim().split('\r\n');
      const columns = head.split(',');
      // Texts with commas are in front of the amounts, so the columns are counted from the end.
      return lines.map(
        (line) => (column: string) => line.split(',').at(columns.indexOf(column) - columns.length) ?? '',
      );
    };
    const total = cells('sales-register.csv').reduce((sum, cell) => sum + Math.round(Number(cell('Total')) * 100), 0);
    const { rows } =
      await sql`select coalesce(sum(case when kind in ('CREDIT_NOTE', 'REFUND_VOUCHER') then -total_paise else total_paise end), 0) as paise
      from documents where to_char(issued_on, 'YYYY-MM') = ${month}`.execute(portal.portal.db);
    expect(rows).toEqual([{ paise: total }]);
    const book = cells('day-book.csv');
    const sum = (column: string) => book.reduce((paise, cell) => paise + Math.round(Number(cell(column)) * 100), 0);
    expect(sum('Debit')).toBe(sum('Credit'));
    expect(book.length).toBeGreaterThan(0);
  }
});
