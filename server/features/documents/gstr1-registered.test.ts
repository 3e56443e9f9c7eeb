import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { gstr1JsonFiles } from '#shared/domain/gst-return-json.ts';
import { monthOf } from '#shared/domain/month.ts';
import { sampleProfile, type TestPortal } from '#server/test/portal.ts';
import { finishDocument } from './finish.ts';
import { readGstReturns } from './gstr1.ts';
import { invoicedBuyer, startPortalWithGstn } from './test-e-invoices.ts';

const gstin = '29ZZZCA0001A1Z0';
let portal: TestPortal;
let gstn: Awaited<ReturnType<typeof startPortalWithGstn>>;
beforeAll(async () => {
  gstn = await startPortalWithGstn();
  ({ portal } = gstn);
});
afterAll(() => gstn.close());

const numbersIn = (file: object) => [...JSON.stringify(file).matchAll(/"inum":"([^"]+)"/g)].map(([, number]) => number);
const numbers = (...of: { invoice: { number: string } }[]) => of.map((each) => each.invoice.number);

test('the file for upload is without documents that have an IRN, unless amended; the other file has all', async () => {
  const abroad = { country: 'SG', stateCode: '96', pin: '018956', city: 'Singapore' };
  const registered = await invoicedBuyer(portal, { gstin });
  const exported = await invoicedBuyer(portal, abroad);
  const amended = await invoicedBuyer(portal, { gstin });
  for (const { invoice } of [registered, exported, amended]) await finishDocument(portal.portal, invoice.id);
  const { buyer, invoice } = amended;
  await portal.ask(updateProfile, { body: { ...sampleProfile, gstin, legalName: 'Kaveri LLP' } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice.id } }, buyer.token);
  const waiting = await invoicedBuyer(portal, { gstin });
  const consumer = await invoicedBuyer(portal, {});

  const month = monthOf(buyer.today());
  const [[own, gstReturn] = []] = await readGstReturns(portal.portal.db, month);
  if (own === undefined || gstReturn === undefined) throw new Error('no return');
  const { upload, all, filledIn } = gstr1JsonFiles(own, month, gstReturn);
  expect(filledIn).toBe(2);
  expect(numbersIn(upload.content)).toEqual(numbers(amended, waiting));
  expect(numbersIn(all.content)).toEqual(numbers(registered, amended, waiting, exported));
  // Tables that the GST portal does not fill in are whole.
  for (const table of ['b2cs', 'hsn', 'doc_issue'])
    expect(upload.content).toHaveProperty(table, Object.entries(all.content).find(([name]) => name === table)?.[1]);
  expect(consumer.invoice.number).toBeTruthy();
});
