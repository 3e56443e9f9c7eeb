import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { type GstReturn, gstReturnOf } from '#shared/domain/gst-return.ts';
import { monthOf, nextMonth } from '#shared/domain/month.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { runRounds } from '#server/start-rounds.ts';
import { copyDocuments, jsonIn } from '#server/test/copied-document.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { readGstReturns } from './gstr1.ts';
import { newBuyer } from './test-buyer.ts';

const maharashtra = '27ZZZCA0001A1Z4';
const karnataka = '29ZZZCA0001A1Z0';

async function open(env: Record<string, string> = {}): Promise<TestPortal> {
  const portal = await startTestPortal({ jobs: false, env: { SUPPLIER_GSTIN: maharashtra, ...env } });
  onTestFinished(() => portal.close());
  await portal.behave({ webhooks: { enabled: false } });
  return portal;
}

/** The operator moves to another State. */
function moveSupplier({ portal: { settings } }: TestPortal, supplierGstin = karnataka): void {
  Object.assign(settings, {
    supplierGstin,
    supplierAddress: '1 Residency Road, Bengaluru 560025',
    supplierPin: '560025',
  });
}

const startAt = (portal: TestPortal, day: Day) => portal.moveClock(startOfDay(day) - portal.portal.clock() + 1000);

/** The 10th of next month, so that a test's days lie in it. */
function inMidMonth(portal: TestPortal): Day {
  const today = dayOf(portal.portal.clock());
  const day: Day = `${addDays(`${monthOf(today)}-28`, 7).slice(0, 7)}-10`;
  startAt(portal, day);
  return day;
}

const taxes = (rows: readonly { taxablePaise: number; cgstPaise: number; sgstPaise: number; igstPaise: number }[]) =>
  rows.map(({ taxablePaise, cgstPaise, sgstPaise, igstPaise }) => [taxablePaise, cgstPaise, sgstPaise, igstPaise]);
const advancesOf = (each: GstReturn | undefined) => each && { at: taxes(each.at), atadj: taxes(each.atadj) };

const toKarnataka = [[127_034, 0, 0, 22_866]];

test('an advance is invoiced by the registration that took it, so that one return only has its tax', async () => {
  const portal = await open();
  const day = inMidMonth(portal);
  const buyer = await newBuyer(portal, placeIn('29'));
  await buyer.buy(1);
  moveSupplier(portal);
  startAt(portal, addDays(day, 1));
  await runRounds(portal.portal);
  const returns = await readGstReturns(portal.portal.db, monthOf(day));
  expect([...returns.keys()]).toEqual([maharashtra]);
  expect(advancesOf(returns.get(maharashtra))).toEqual({ at: [], atadj: [] });
  expect(taxes(returns.get(maharashtra)?.b2cs ?? [])).toEqual(toKarnataka);
  const invoice = (await buyer.documents())[1];
  expect(invoice).toMatchObject({ kind: 'INVOICE', igst: 228.66, cgst: 0 });
});

test('across months the registration that reported an advance adjusts it, and new sales are of the new one', async () => {
  const portal = await open();
  const day = inMidMonth(portal);
  const buyer = await newBuyer(portal, placeIn('29'));
  await buyer.buy(30);
  moveSupplier(portal);
  const later = addDays(day, 30);
  startAt(portal, later);
  await runRounds(portal.portal);
  const fresh = await newBuyer(portal, placeIn('29'));
  await fresh.buy(0);
  const { db } = portal.portal;
  expect(advancesOf((await readGstReturns(db, monthOf(day))).get(maharashtra))).toEqual({ at: toKarnataka, atadj: [] });
  const returns = await readGstReturns(db, monthOf(later));
  const [old, now] = [returns.get(maharashtra), returns.get(karnataka)];
  expect([advancesOf(old), taxes(old?.b2cs ?? [])]).toEqual([{ at: [], atadj: toKarnataka }, toKarnataka]);
  expect([advancesOf(now), taxes(now?.b2cs ?? [])]).toEqual([{ at: [], atadj: [] }, [[127_034, 11_433, 11_433, 0]]]);
  // Each registration files a return of each month from its first document on, a nil one too.
  const nil = nextMonth(monthOf(later));
  const isNil = [maharashtra, karnataka].map((gstin) => [gstin, gstReturnOf(nil, [])]);
  expect([...(await readGstReturns(db, nil))]).toEqual(isNil);
  expect([...(await readGstReturns(db, monthOf(day))).keys()]).toEqual([maharashtra]);
});

test('a refund, a credit note and a correction are of the registration of the document that they follow', async () => {
  const portal = await open();
  inMidMonth(portal);
  const [advance, corrected] = [await newBuyer(portal), await newBuyer(portal)];
  const waiting = await advance.buy(5);
  await corrected.buy(0);
  moveSupplier(portal);
  await advance.end(waiting);
  const [invoice] = await corrected.documents();
  // A consumer's State can't be amended: a credit note and another invoice take the place of the first.
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...placeIn('27') } }, corrected.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, corrected.token);
  const rows = await portal.portal.db
    .selectFrom('documents')
    .select(['kind', sql<string>`content -> 'supplier' ->> 'gstin'`.as('gstin')])
    .select(sql<string>`content -> 'supplier' ->> 'pin'`.as('pin'))
    .where('refers_to', 'is not', null)
    .execute();
  const kinds = rows.map(({ kind }) => kind).toSorted();
  expect(kinds).toEqual(['CREDIT_NOTE', 'INVOICE', 'REFUND_VOUCHER']);
  expect(new Set(rows.map(({ gstin, pin }) => `${gstin} ${pin}`))).toEqual(new Set([`${maharashtra} 400053`]));
  // Its place of supply is now the State of the registration.
  expect((await corrected.documents()).find(({ kind, refersTo }) => kind === 'INVOICE' && refersTo)).toMatchObject({
    cgst: 114.33,
    igst: 0,
  });
});

test('the database refuses a document of another registration than that of the document it follows', async () => {
  const portal = await open();
  inMidMonth(portal);
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const planted = portal.portal.db.transaction().execute(async (tx) => {
    await sql`update document_series set last_number = last_number + 1, last_issued_at = now() + interval '1 year' where series = 'INVOICE'`.execute(
      tx,
    );
    const { rows } = await sql<{ next: object }>`
      select jsonb_build_object('id', 'DOC-X', 'refers_to', d.id, 'sequence', s.last_number, 'issued_at', s.last_issued_at,
        'number', regexp_replace(d.number, '[0-9]{6}$', lpad(s.last_number::text, 6, '0')),
        'content', jsonb_set(d.content, '{supplier,gstin}', ${JSON.stringify(karnataka)}::jsonb)) as next
      from documents d join document_series s using (series, financial_year)`.execute(tx);
    await sql.raw(copyDocuments(jsonIn(rows[0]?.next), 'true')).execute(tx);
  });
  await expect(planted).rejects.toThrow('is not of the registration');
});

test('a letter of undertaking covers the supplies of the State in its number only', async () => {
  const year = Number(financialYearOf(dayOf(Date.now())).slice(0, 4));
  const letters = (state: string) =>
    [year, year + 1].map((each) => `AD${state}03${each % 100}000001A:${each}-04-01:${each + 1}-03-31`).join(',');
  const portal = await open({ LETTERS_OF_UNDERTAKING: letters('27') });
  const day = inMidMonth(portal);
  const abroad = { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' };
  const early = await newBuyer(portal, abroad);
  await early.buy(1);
  moveSupplier(portal);
  const fresh = await newBuyer(portal, abroad);
  await fresh.buy(0);
  expect(await fresh.documents()).toMatchObject([{ kind: 'INVOICE', igst: 228.66 }]);
  startAt(portal, addDays(day, 1));
  await runRounds(portal.portal);
  expect((await early.documents())[1]).toMatchObject({ kind: 'INVOICE', igst: 0, total: 1499 });
});
