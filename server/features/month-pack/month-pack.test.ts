import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { readMonthPack } from '#shared/contract/month-pack.ts';
import { transaction } from '#shared/database/transaction.ts';
import { monthOf } from '#shared/domain/month.ts';
import { RenderFault } from '#shared/paper/render-fault.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { measurePack } from './measure.ts';
import { readProviderPack } from './provider-pack.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

async function download(token: string, month: string): Promise<Buffer> {
  const { downloadUrl } = await portal.ask(readMonthPack, { params: { month } }, token);
  const response = await fetch(downloadUrl);
  expect(response.headers.get('content-type')).toBe('application/zip');
  return Buffer.from(await response.arrayBuffer());
}

test('a month’s ZIP has every document of the customer, oldest first, the register and the usage', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  await buyer.buy(40);
  await (await newBuyer(portal)).buy(0);
  const month = monthOf(buyer.today());
  const files = unzipSync(await download(buyer.token, month));
  const [invoice, voucher] = await buyer.documents();
  expect(Object.keys(files)).toEqual([
    `documents/tax-invoice-${invoice?.number.replaceAll('/', '-')}.pdf`,
    `documents/receipt-voucher-${voucher?.number.replaceAll('/', '-')}.pdf`,
    `purchase-register-${month}.csv`,
    `usage-${month}.csv`,
  ]);
  const [first, , register, usage] = Object.values(files).map((file) => Buffer.from(file));
  expect(first?.equals(await buyer.download(invoice?.id ?? ''))).toBe(true);
  expect(register?.toString()).toContain(`Tax invoice,${invoice?.number}`);
  expect(usage?.toString()).toContain('Calls counted');
});

test('a month is attached to a mail up to 10 MB of PDFs, and not above', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [month, { db }] = [monthOf(buyer.today()), portal.portal];
  const [invoice] = await buyer.documents();
  const ofInvoice = db
    .selectFrom('documents')
    .select('customer_id')
    .where('id', '=', invoice?.id ?? '');
  const { customer_id: customerId } = await ofInvoice.executeTakeFirstOrThrow();
  const fits = async (bytes: number) => {
    let fitsMail: boolean | undefined;
    const measured = transaction(db, async (tx) => {
      const made = { pdf_sha256: Buffer.alloc(32), made_at: new Date(), pdf: null, place: 'test' };
      await tx
        .insertInto('document_files')
        .values({ ...made, document_id: invoice?.id ?? '', bytes })
        .execute();
      ({ fitsMail } = await measurePack(tx, month, customerId));
      throw new Error('undone');
    });
    await expect(measured).rejects.toThrow('undone');
    return fitsMail;
  };
  expect(await measurePack(db, month, customerId)).toEqual({ documents: 1, fitsMail: true });
  expect(await fits(10_000_000)).toBe(true);
  expect(await fits(10_000_001)).toBe(false);
});

test('the provider’s ZIP has every stored PDF, both versions of an amended one, the returns and the books', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  await portal.ask(updateProfile, { body: { ...sampleProfile, legalName: 'Kaveri LLP' } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
  // Neither version waits for the other.
  await buyer.download(invoice?.id ?? '', 'original');
  const revised = await buyer.download(invoice?.id ?? '');
  const zip = await readProviderPack(portal.portal, monthOf(buyer.today()), buyer.today());
  const files = unzipSync(Buffer.concat(await zip.toArray()));
  const name = `tax-invoice-${invoice?.number.replaceAll('/', '-')}.pdf`;
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining([
      `documents/${name}`,
      'gstr1/27ZZZCA0001A1Z4/gstr1.json',
      'gstr1/27ZZZCA0001A1Z4/gstr1-all.json',
      'gstr3b/27ZZZCA0001A1Z4/gstr3b.csv',
      'accounts/tally-vouchers.xml',
      'accounts/sales-register.csv',
    ]),
  );
  expect(Buffer.from(files[`documents/revised-${name}`] ?? []).equals(revised)).toBe(true);
});

test('the provider’s ZIP of a month has the revised PDFs of the documents amended in it, and a later amendment changes none before', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const issued = monthOf(buyer.today());
  const [invoice] = await buyer.documents();
  await buyer.download(invoice?.id ?? '');
  portal.moveClock(32 * 86_400_000);
  const filesOf = async (month: string) => {
    const zip = await readProviderPack(portal.portal, month, buyer.today());
    return Object.keys(unzipSync(Buffer.concat(await zip.toArray())));
  };
  const before = await filesOf(issued);
  await portal.ask(updateProfile, { body: { ...sampleProfile, legalName: 'Kaveri LLP' } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
  const name = `tax-invoice-${invoice?.number.replaceAll('/', '-')}.pdf`;
  await buyer.download(invoice?.id ?? '');
  expect(await filesOf(issued)).toEqual(before);
  expect(before).toContain(`documents/${name}`);
  const amended = await filesOf(monthOf(buyer.today()));
  expect(amended).toContain(`documents/revised-${name}`);
  expect(amended).not.toContain(`documents/${name}`);
});

test('the same month gives the same bytes', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const month = monthOf(buyer.today());
  const first = await download(buyer.token, month);
  expect((await download(buyer.token, month)).equals(first)).toBe(true);
});

test('a month without documents is not found, and a link of another customer’s month is refused', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const month = monthOf(buyer.today());
  const past = await portal.send(readMonthPack, { params: { month: '2020-01' } }, buyer.token);
  expect(past.body).toMatchObject({ status: 404, code: 'not_found' });
  const { downloadUrl } = await portal.ask(readMonthPack, { params: { month } }, buyer.token);
  expect((await fetch(downloadUrl)).status).toBe(200);
  const other = await newBuyer(portal);
  await other.buy(0);
  const theirs = await portal.ask(readMonthPack, { params: { month } }, other.token);
  const [own, foreign] = [new URL(downloadUrl), new URL(theirs.downloadUrl)];
  expect((await fetch(`${foreign.origin}${foreign.pathname}${own.search}`)).status).toBe(404);
});

test('a document that can’t be printed is named in the ZIP, and its amended version does not wait for it', async () => {
  const buyer = await newBuyer(portal, { legalName: 'Unprintable Traders' });
  const { renderer } = portal.portal;
  const print = renderer.render;
  vi.spyOn(renderer, 'render').mockImplementation((owner, paper) =>
    JSON.stringify(paper).includes('Unprintable Traders')
      ? Promise.reject(new RenderFault('crashed'))
      : print(owner, paper),
  );
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const month = monthOf(buyer.today());
  const missing = unzipSync(await download(buyer.token, month));
  expect(Buffer.from(missing['missing.txt'] ?? []).toString()).toBe(`No PDF yet: ${invoice?.number}\n`);
  await portal.ask(updateProfile, { body: { ...sampleProfile, legalName: 'Kaveri LLP' } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
  expect((await buyer.download(invoice?.id ?? '')).subarray(0, 5).toString()).toBe('%PDF-');
  const files = unzipSync(await download(buyer.token, month));
  expect(Object.keys(files)).toContain(`documents/tax-invoice-${invoice?.number.replaceAll('/', '-')}.pdf`);
});
