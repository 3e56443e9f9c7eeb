import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { faultsOfGstr1 } from '#shared/domain/gst-return-check.ts';
import { gstr3bOf } from '#shared/domain/gst-return-3b.ts';
import { gstr1Json } from '#shared/domain/gst-return-json.ts';
import { monthOf } from '#shared/domain/month.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { sampleProfile, type TestPortal } from '#server/test/portal.ts';
import { purchaseRegister } from './register.ts';
import { readGstReturns } from './gstr1.ts';
import { readExports } from './remittances.ts';
import { newBuyer } from './test-buyer.ts';
import { startPortalWithGstn } from './test-e-invoices.ts';

const gstin = '29ZZZCA0001A1Z0';
let portal: TestPortal;
let close: () => Promise<void>;
beforeAll(async () => {
  const catalogDir = changedCatalog({
    'invoicing-system': { gstRatePercent: '0', onDeactivate: 'refund-unused', 'plans.growth.maxDays': '366' },
  });
  ({ portal, close } = await startPortalWithGstn({ catalogDir }));
});
afterAll(() => close());

async function textOf(pdf: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

test('an exempt sale has a bill of supply without tax, which is not registered, and its credit note names it', async () => {
  const buyer = await newBuyer(portal, { gstin });
  const cycleId = await buyer.buy(0);
  await buyer.end(cycleId);
  const [bill, note] = await buyer.documents();
  expect(bill).toMatchObject({ kind: 'INVOICE', exempt: true, taxableValue: 1499, igst: 0, total: 1499 });
  expect(await needsIrn(bill?.id, note?.id)).toEqual([false, false]);
  const paper = await textOf(await buyer.download(bill?.id ?? ''));
  expect(paper).toMatch(/^Bill of supply/);
  expect(paper).toContain('Value of supply');
  expect(paper).toContain('CGST Rule 49, third proviso');
  expect(paper).not.toMatch(/IGST|Tax invoice|Taxable value|Rule 46/);
  const credit = await textOf(await buyer.download(note?.id ?? ''));
  expect(credit).toContain(`To bill of supply ${bill?.number}`);
  expect(credit).toContain('For a bill of supply');
});

test('an advance says that a bill of supply follows if the supply is not taxed when the service starts', async () => {
  const buyer = await newBuyer(portal, {});
  await buyer.buy(5);
  const [voucher] = await buyer.documents();
  expect(await textOf(await buyer.download(voucher?.id ?? ''))).toContain(
    'The tax invoice, or the bill of supply if it is not taxed then, follows when the service starts',
  );
});

test('an exempt export is without payment of tax, although no letter of undertaking covers it, and nothing falls due of it', async () => {
  const buyer = await newBuyer(portal, { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' });
  await buyer.buy(0);
  const [bill] = await buyer.documents();
  expect(await needsIrn(bill?.id)).toEqual([false]);
  const paper = await textOf(await buyer.download(bill?.id ?? ''));
  expect(paper).toContain('Supply meant for export without payment of integrated tax.');
  expect(await readExports(portal.portal.db, portal.portal.clock())).toEqual([]);
});

test('exempt sales are in table 8 of GSTR-1 and 3.1(c) of GSTR-3B, and the file is sound', async () => {
  for (const profile of [{ gstin }, placeIn('27'), {}]) await (await newBuyer(portal, profile)).buy(0);
  const month = monthOf((await newBuyer(portal)).today());
  const returns = await readGstReturns(portal.portal.db, month);
  const [first] = [...returns];
  if (!first) throw new Error('no return');
  const [own, gstReturn] = first;
  expect([gstReturn.b2b, gstReturn.b2cs, gstReturn.b2cl, gstReturn.cdnr]).toEqual([[], [], [], []]);
  expect(gstReturn.nil).toHaveLength(3);
  expect(faultsOfGstr1(JSON.parse(JSON.stringify(gstr1Json(own, month, gstReturn))))).toEqual([]);
  const gstr3b = gstr3bOf(gstReturn);
  expect(gstr3b.taxable.taxablePaise).toBe(0);
  expect(gstr3b.nilRated.taxablePaise).toBe(gstReturn.nil.reduce((sum, row) => sum + row.taxablePaise, 0));
});

test('a bill of supply is corrected like an invoice, and the register names it', async () => {
  const buyer = await newBuyer(portal, {});
  await buyer.buy(0);
  const [bill] = await buyer.documents();
  await portal.ask(updateProfile, { body: { ...sampleProfile, gstin } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: bill?.id ?? '' } }, buyer.token);
  const replacement = (await buyer.documents()).findLast(({ kind }) => kind === 'INVOICE');
  expect(await textOf(await buyer.download(replacement?.id ?? ''))).toContain(`This bill replaces bill of supply`);
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('documents')
    .select('customer_id')
    .where('id', '=', bill?.id ?? '')
    .executeTakeFirstOrThrow();
  const register = await purchaseRegister(portal.portal, { customerId }, buyer.today(), buyer.today());
  expect(register).toContain(`Bill of supply,${bill?.number}`);
});

async function needsIrn(...ids: (string | undefined)[]): Promise<boolean[]> {
  const rows = await portal.portal.db
    .selectFrom('documents')
    .select('needs_irn')
    .where(
      'id',
      'in',
      ids.flatMap((id) => id ?? []),
    )
    .execute();
  return rows.map((row) => row.needs_irn);
}
