import { createHash } from 'node:crypto';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRounds } from '#server/start-rounds.ts';
import { readHealth } from '#server/health.ts';
import { createDocumentSigner } from '#server/signature/document-signer.ts';
import { readSigningCertificate } from '#server/signature/signing-certificate.ts';
import { KeyFault } from '#server/signature/signing-key.ts';
import { createDevelopmentCertificate } from '#server/signature/development-certificate.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { newBuyer } from './test-buyer.ts';

const dayMs = 86_400_000;
const validTo = new Date(Date.now() + 40 * dayMs);
let portal: TestPortal;
let unsigned: TestPortal;

beforeAll(async () => {
  const file = await createDevelopmentCertificate('secret', { holder: 'A. Rao', to: validTo });
  const signer = createDocumentSigner(readSigningCertificate(file, 'secret'), () => portal.portal.clock());
  const env = { SUPPLIER_CIN: 'U72900MH2020PTC123456', SUPPLIER_EMAIL: 'accounts@example.com' };
  portal = await startTestPortal({ signer, env });
  unsigned = await startTestPortal();
});
afterAll(async () => {
  await portal.close();
  await unsigned.close();
});

async function textOf(pdf: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items
    .map((item) => ('str' in item ? `${item.str} ` : ''))
    .join('')
    .replaceAll(/\s+/g, ' ');
}

test('invoices and vouchers are signed, and the stored file with its hash is the signed one', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  await buyer.buy(40);
  const documents = await buyer.documents();
  expect(documents.map(({ kind }) => kind)).toEqual(['INVOICE', 'RECEIPT_VOUCHER']);
  for (const { id } of documents) {
    const pdf = await buyer.download(id);
    expect(pdf.includes('/SubFilter /ETSI.CAdES.detached')).toBe(true);
    expect(await textOf(pdf)).toContain('Digitally signed by A. Rao');
    const kept = await portal.portal.db
      .selectFrom('document_files')
      .select('pdf_sha256')
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(kept.pdf_sha256).toEqual(createHash('sha256').update(pdf).digest());
    expect((await buyer.download(id)).equals(pdf)).toBe(true);
  }
});

test('without a certificate an invoice cites its exemption, and a voucher names the opinion it follows', async () => {
  const buyer = await newBuyer(unsigned);
  await buyer.buy(0);
  await buyer.buy(40);
  const [invoice, voucher] = await buyer.documents();
  const printed = await textOf(await buyer.download(invoice?.id ?? ''));
  expect(printed).toContain('it needs no signature (CGST Rule 46, fifth proviso)');
  expect(await textOf(await buyer.download(voucher?.id ?? ''))).toContain(
    'Issued electronically without a signature, in the opinion that the exemption of electronic invoices',
  );
  expect(await readHealth(unsigned.portal)).toMatchObject({ signature: { signed: false } });
});

test('a document names the supplier’s CIN, e-mail and telephone', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const text = await textOf(await buyer.download(invoice?.id ?? ''));
  expect(text).toContain('CIN U72900MH2020PTC123456');
  expect(text).toContain(`accounts@example.com · ${portal.portal.settings.supportPhone}`);
});

test('the operator is warned 30 days before the certificate ends, and documents are unsigned after it', async () => {
  expect(await readHealth(portal.portal)).toMatchObject({
    signature: { signed: true, holder: 'A. Rao', daysLeft: 39 },
  });
  await runRounds(portal.portal);
  expect(portal.logLines.join('')).not.toContain('the signing certificate ends soon');
  portal.moveClock(15 * dayMs);
  await runRounds(portal.portal);
  expect(portal.logLines.join('')).toContain('the signing certificate ends soon');
  portal.moveClock(30 * dayMs);
  await runRounds(portal.portal);
  expect(portal.logLines.join('')).toContain('the signing certificate is not valid: documents are issued unsigned');
  expect(await readHealth(portal.portal)).toMatchObject({ signature: { signed: false, daysLeft: 0 } });
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const pdf = await buyer.download(invoice?.id ?? '');
  expect(pdf.includes('/ByteRange')).toBe(false);
  expect(await textOf(pdf)).toContain('it needs no signature');
});

test('while the key of the certificate does not sign, documents are issued unsigned, and the health says why', async () => {
  const { signer } = portal.portal;
  const file = await createDevelopmentCertificate('secret', { holder: 'A. Rao' });
  let fault: string | undefined;
  const sign = async (): Promise<Buffer> => {
    fault = 'the token is away';
    throw new KeyFault(fault);
  };
  const certificate = readSigningCertificate(file, 'secret');
  const key = { kind: 'rsa' as const, sign, fault: () => fault };
  portal.portal.signer = createDocumentSigner({ ...certificate, key }, () => portal.portal.clock());
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const pdf = await buyer.download(invoice?.id ?? '');
  expect(pdf.includes('/SubFilter')).toBe(false);
  expect(await textOf(pdf)).toContain('it needs no signature (CGST Rule 46, fifth proviso)');
  expect((await readHealth(portal.portal)).signature).toMatchObject({ signed: false, keyFault: 'the token is away' });
  portal.portal.signer = signer;
});
