import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { runRounds } from '#server/start-rounds.ts';
import { copyDocuments, jsonIn } from '#server/test/copied-document.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { declareClaim, newBuyer, sampleLetters } from './test-buyer.ts';

const dayMs = 86_400_000;
const numbered = (documents: { kind: string; number: string }[]) => documents.map(({ kind, number }) => [kind, number]);

async function open(env: Record<string, string>, catalogDir?: string): Promise<TestPortal> {
  const portal = await startTestPortal({ jobs: false, env, ...(catalogDir ? { catalogDir } : {}) });
  onTestFinished(() => portal.close());
  await portal.behave({ webhooks: { enabled: false } });
  return portal;
}

/** A catalogue with prices excluding GST; the growth plan of the invoicing system costs ₹999.00 plus tax. */
function exclusiveCatalog(): string {
  return changedCatalog({ 'invoicing-system': { tax: 'exclusive', 'plans.growth.price': '999' } });
}

test('a price excluding GST is charged with GST in every State, and without it under LUT; the invoice shows the price as taxable value', async () => {
  const portal = await open({ LETTERS_OF_UNDERTAKING: sampleLetters() }, exclusiveCatalog());
  const invoiced = async (profile: object) => {
    const buyer = await newBuyer(portal, profile);
    await buyer.buy(0);
    return (await buyer.documents())[0];
  };
  const same = placeIn('27');
  expect(await invoiced(same)).toMatchObject({
    taxableValue: 999,
    cgst: 89.91,
    sgst: 89.91,
    roundOff: 0,
    total: 1178.82,
  });
  expect(await invoiced({})).toMatchObject({ taxableValue: 999, igst: 179.82, total: 1178.82 });
  // Where no tax is charged, nothing is added to the price.
  const abroad = { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' };
  const sez = { ...placeIn('27'), gstin: '27ZZZFA0003C2ZR', sez: true };
  for (const profile of [abroad, sez]) {
    expect(await invoiced(profile)).toMatchObject({ taxableValue: 999, igst: 0, cgst: 0, total: 999 });
  }
});

test('when taxable value and taxes miss the price by a paisa, the round-off line makes up the difference', async () => {
  const portal = await open({});
  const buyer = await newBuyer(portal, placeIn('27'));
  await buyer.buy(0, 'growth-90');
  const [invoice] = await buyer.documents();
  expect(invoice).toMatchObject({ taxableValue: 3558.47, cgst: 320.26, sgst: 320.26, roundOff: 0.01, total: 4199 });
});

test('a supplier in a Union territory without legislature and without LUT charges UTGST at home, and IGST elsewhere, to SEZs and abroad', async () => {
  const portal = await open({ SUPPLIER_GSTIN: '04ZZZCA0001A1ZC' });
  const none = { cgst: 0, sgst: 0, utgst: 0, igst: 0, total: 1499 };
  const cases: [object, object][] = [
    [placeIn('04'), { ...none, cgst: 114.33, utgst: 114.33 }],
    [
      { ...placeIn('04'), gstin: '04ZZZCA0001A2ZB', sez: true },
      { ...none, igst: 228.66 },
    ],
    [placeIn('29'), { ...none, igst: 228.66 }],
    [
      { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' },
      { ...none, igst: 228.66, placeOfSupply: '96 Other Countries' },
    ],
  ];
  for (const [profile, amounts] of cases) {
    const buyer = await newBuyer(portal, profile);
    await buyer.buy(0);
    expect((await buyer.documents())[0]).toMatchObject({ kind: 'INVOICE', taxableValue: 1270.34, ...amounts });
  }
});

test('an advance of one financial year is invoiced or refunded in the next with that year’s numbers', async () => {
  const portal = await open({});
  const march: Day = `${Number(financialYearOf(dayOf(Date.now())).slice(0, 4)) + 1}-03-25`;
  portal.moveClock(startOfDay(march) - Date.now());
  const [kept, returned] = [await newBuyer(portal), await newBuyer(portal)];
  await kept.buy(10);
  const cycleId = await returned.buy(10);
  portal.moveClock(8 * dayMs);
  await returned.end(cycleId);
  portal.moveClock(3 * dayMs);
  await runRounds(portal.portal);
  const year = Number(march.slice(2, 4));
  const [before, after] = [`OCT/${year - 1}-${year}`, `OCT/${year}-${year + 1}`];
  const [invoices, refunds] = [await kept.documents(), await returned.documents()];
  expect(numbered(invoices)).toEqual([
    ['RECEIPT_VOUCHER', `${before}/R0001`],
    ['INVOICE', `${after}/000001`],
  ]);
  expect(numbered(refunds)).toEqual([
    ['RECEIPT_VOUCHER', `${before}/R0002`],
    ['REFUND_VOUCHER', `${after}/V0001`],
  ]);
  expect([invoices[1]?.refersTo, refunds[1]?.refersTo]).toEqual([`${before}/R0001`, `${before}/R0002`]);
});

test('exports bear no tax only on days that a letter of undertaking covers, and the operator is warned before it ends', async () => {
  const year = Number(financialYearOf(dayOf(Date.now())).slice(0, 4));
  const lastDate: Day = `${year + 1}-03-31`;
  const portal = await open(
    { LETTERS_OF_UNDERTAKING: `AD2703${year % 100}000001A:${year}-04-01:${lastDate}` },
    exclusiveCatalog(),
  );
  const at = (day: Day) => portal.moveClock(startOfDay(day) - portal.portal.clock() + 1000);
  at(addDays(lastDate, -7));
  const abroad = { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' };
  const buyer = await newBuyer(portal, abroad);
  await buyer.buy(0, 'growth-90');
  const next = await newBuyer(portal, abroad);
  await next.buy(8);
  expect(await buyer.documents()).toMatchObject([{ kind: 'INVOICE', igst: 0 }]);
  // It starts on a day that no letter covers yet.
  expect(await next.documents()).toMatchObject([{ kind: 'RECEIPT_VOUCHER', taxableValue: 999, igst: 179.82 }]);
  await runRounds(portal.portal);
  expect(portal.logLines).toContainEqual(expect.stringContaining('"daysLeft":7'));
  at(addDays(lastDate, 1));
  await runRounds(portal.portal);
  expect(portal.logLines).toContainEqual(expect.stringContaining('no letter of undertaking is valid'));
  const late = await newBuyer(portal, abroad);
  await late.buy(0);
  expect(await late.documents()).toMatchObject([{ kind: 'INVOICE', taxableValue: 999, igst: 179.82 }]);
  expect((await next.documents())[1]).toMatchObject({ kind: 'INVOICE', igst: 179.82 });
  // A correction keeps the day of supply of the invoice that it replaces.
  const [invoice] = await buyer.documents();
  const moved = { ...sampleProfile, gstin: '29ZZZCA0001A1Z0', sez: true };
  await portal.ask(updateProfile, { body: moved }, buyer.token);
  await declareClaim(portal, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
  expect((await buyer.documents()).find(({ refersTo, kind }) => refersTo !== null && kind === 'INVOICE')).toMatchObject(
    {
      igst: 0,
    },
  );
  const planted = portal.owner.db.transaction().execute(async (tx) => {
    // Only the trigger under test; those of the numbers would refuse the document first.
    await sql`alter table documents disable trigger user`.execute(tx);
    await sql`alter table documents enable trigger zero_rated_under_a_letter`.execute(tx);
    const change = { id: 'DOC-X', number: 'X', sequence: 999, issued_on: addDays(lastDate, 1), refers_to: null };
    await sql.raw(copyDocuments(jsonIn(change), `d.number = '${invoice?.number}'`)).execute(tx);
  });
  await expect(planted).rejects.toThrow('no letter of undertaking covers');
});
