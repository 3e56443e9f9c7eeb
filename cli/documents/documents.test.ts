import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { documentFileName } from '#shared/domain/document.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { readProfile } from '#server/features/account/account.ts';
import { bookFaults } from '#server/features/bookkeeping/bookkeeping.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { sendMail } from '#server/features/mail/mail.ts';
import { startMailServer } from '#server/features/mail/test-mail-server.ts';
import { createMailer } from '#server/smtp/mailer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
let server: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  server = await startMailServer();
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'Octroi <billing@octroi.example>');
  portal = await startTestPortal({ jobs: false, mailer });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  portal.portal.mailer?.close();
  await portal.close();
  await server.close();
});

const because = ['--reason', 'Asked by phone', '--actor', 'asha'];

/** A buyer with two documents, the first with a file. */
async function newInvoice() {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [document] = await buyer.documents();
  if (!document) throw new Error('nothing was bought');
  return { buyer, document };
}

test('documents are mailed again to the customer or a named address, and the audit log and the customer know it', async () => {
  const { buyer, document } = await newInvoice();
  const words = ['documents', 'send', document.number, ...because];
  expect(await run([...words, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('has no file yet');
  await buyer.download(document.id);
  expect(await run([...words, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`Tax invoice ${document.number}`);
  expect(await run(words)).toBe(exitCodes.usage);
  expect(await run([...words, '--yes'])).toBe(exitCodes.done);
  for (const to of ['accounts', 'accounts@example.com\u0007', 'acc\u202eounts@example.com']) {
    terminal.errors = '';
    expect(await run([...words, '--to', to, '--yes'])).toBe(exitCodes.failed);
    expect(terminal.errors).toContain('is not an e-mail address');
  }
  expect(await run([...words, '--to', 'accounts@example.com', '--yes'])).toBe(exitCodes.done);
  const { db } = portal.portal;
  const mails = await db.selectFrom('mails').select(['id', 'recipient']).where('subject', 'like', '% again').execute();
  const { user, ...account } = await portal.ask(readAccount, {}, buyer.token);
  expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(['accounts@example.com', user.email]);
  for (const { id } of mails) await sendMail(portal.portal, id);
  for (const to of ['accounts@example.com', user.email]) {
    const mail = server.received(to).find(({ subject }) => subject.endsWith(' again'));
    expect(mail?.attachmentNames).toEqual([documentFileName(document)]);
    expect(mail?.attachment?.subarray(0, 5).toString()).toBe('%PDF-');
  }
  const [sent, before] = await listActions(db, { limit: 2 });
  expect([before, sent]).toMatchObject([
    { action: 'documents.send', target: document.number, effect: { isOtherAddress: false } },
    { action: 'documents.send', target: document.number, effect: { isOtherAddress: true } },
  ]);
  // The address stands with the mail that the entry names, where an erasure finds it.
  const { sendingId } = z.object({ sendingId: z.string() }).parse(sent?.effect);
  const named = db.selectFrom('mails').select('recipient').where('dedupe_key', '=', `documents-sent:${sendingId}`);
  expect(await named.execute()).toEqual([{ recipient: 'accounts@example.com' }]);
  expect(account.providerActions).toMatchObject([{ action: 'documents.send' }, { action: 'documents.send' }]);
});

test('an unknown document, those of two customers, and what is no address are refused', async () => {
  const [one, other] = [await newInvoice(), await newInvoice()];
  for (const { buyer, document } of [one, other]) await buyer.download(document.id);
  expect(await run(['documents', 'send', 'OCT/99-00/000001', ...because, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no document OCT/99-00/000001');
  const both = [one.document.number, other.document.number];
  expect(await run(['documents', 'send', ...both, ...because, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('of several customers');
  for (const to of ['nobody', 'a@b', 'a@example.com,b@example.com', 'A <a@example.com>'])
    expect(await run(['documents', 'send', one.document.number, '--to', to, ...because, '--yes'])).toBe(
      exitCodes.failed,
    );
});

test('an operator corrects a GSTIN, and then each invoice by an amendment or by a credit note and a new invoice', async () => {
  const [mistyped, right] = ['29ZZZCA0001A1Z0', '29AAGCB7383J1Z4'];
  const buyer = await newBuyer(portal, { gstin: mistyped });
  const { user } = await portal.ask(readAccount, {}, buyer.token);
  const customer = { customerId: user.id };
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  if (!invoice) throw new Error('nothing was bought');
  const gstin = (text: string, ...more: string[]) =>
    run(['customers', 'gstin', customer.customerId, text, ...because, ...more]);
  const correct = (...more: string[]) => run(['documents', 'correct', invoice.number, ...because, ...more]);
  const profile = () => readProfile(customer, portal.portal.db);

  expect(await correct('--dry-run')).toBe(exitCodes.failed);
  expect(await gstin('27ZZZCA0001A1Z4', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('the GSTIN of the seller');
  expect(await gstin('29ZZZCA0001A1Z9', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('This GSTIN is not valid');
  expect(await gstin(right, '--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain(`GSTIN ${mistyped} becomes GSTIN ${right}`);
  expect(await profile()).toMatchObject({ gstin: mistyped });

  terminal.out = '';
  expect(await gstin(right, '--yes', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({
    changed: true,
    invoices: [{ number: invoice.number, gstin: mistyped }],
  });
  expect(await profile()).toMatchObject({ gstin: right });
  expect(await correct('--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain(`${invoice.number} to Kaveri Traders (${mistyped}) will be amended`);
  expect((await buyer.documents())[0]).toMatchObject({ revisedOn: null });
  expect(await correct('--yes')).toBe(exitCodes.done);
  expect((await buyer.documents()).map(({ number, revisedOn }) => [number, revisedOn])).toEqual([
    [invoice.number, buyer.today()],
  ]);
  expect(await correct('--yes')).toBe(exitCodes.failed);

  // Between a business and a consumer the return wants another document.
  expect(await gstin('none', '--yes')).toBe(exitCodes.done);
  terminal.out = '';
  expect(await correct('--yes', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ corrected: true, amended: false, refunded: 0 });
  expect((await buyer.documents()).map(({ kind }) => kind).toSorted()).toEqual(['CREDIT_NOTE', 'INVOICE', 'INVOICE']);
  const { providerActions } = await portal.ask(readAccount, {}, buyer.token);
  expect(providerActions.map(({ action }) => action)).toEqual([
    'documents.correct',
    'customers.gstin',
    'documents.correct',
    'customers.gstin',
  ]);
  const { faults } = await verifyLedgerOf(portal.portal.db);
  expect([...faults, ...(await bookFaults(portal.portal.db))]).toEqual([]);
});
