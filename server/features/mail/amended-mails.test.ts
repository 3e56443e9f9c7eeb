import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount, updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { sendDocuments } from '#server/features/documents/mail-again.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { readAsOperator } from '#server/operator-calls.ts';
import { createMailer } from '#server/smtp/mailer.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { sendMail } from './mail.ts';
import { startMailServer } from './test-mail-server.ts';

let portal: TestPortal;
let server: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  server = await startMailServer();
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'Octroi <billing@octroi.example>');
  // Without jobs nothing prints the first version.
  portal = await startTestPortal({ jobs: false, mailer });
});
afterAll(async () => {
  portal.portal.mailer?.close();
  await portal.close();
  await server.close();
});

const cause = { actor: 'asha', reason: 'Asked by phone' };

/** The subjects of the mails with documents that may leave. */
async function leaving(): Promise<string[]> {
  const { rows } = await sql<{
    subject: string;
  }>`select m.subject from pgboss.job j join mails m on m.id = j.data ->> 'mailId'
    where j.name = 'send-mail' and m.document_id is not null`.execute(portal.portal.db);
  return rows.map(({ subject }) => subject);
}

test('an amended version is mailed, and mailed again, while the first one can’t be printed', async () => {
  const { db } = portal.portal;
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [{ id, number } = { id: '', number: '' }] = await buyer.documents();
  await portal.ask(updateProfile, { body: { ...sampleProfile, legalName: 'Kaveri LLP' } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: id } }, buyer.token);
  const { user } = await portal.ask(readAccount, {}, buyer.token);
  const listed = async () =>
    (await readAsOperator(portal.portal, 'read-only', 'listDocuments', { customerId: user.id })).documents;
  expect(await listed()).toMatchObject([{ number, isPrinted: false }]);
  await expect(sendDocuments(portal.portal, [number], undefined, cause)).rejects.toThrow('has no file yet');

  const revised = await buyer.download(id);
  const first = db.selectFrom('document_files').select('document_id').where('document_id', '=', id);
  expect(await first.execute()).toEqual([]);
  expect(await leaving()).toEqual([`Revised invoice ${number}`]);
  expect(await listed()).toMatchObject([{ number, isPrinted: true }]);
  await sendDocuments(portal.portal, [number], undefined, cause);
  const mails = db.selectFrom('mails').select('id').where('subject', 'like', `%${number}%`);
  for (const mail of await mails.where('sent_at', 'is', null).execute()) await sendMail(portal.portal, mail.id);
  for (const subject of [/^Revised invoice/, / again$/])
    expect((await server.next(user.email, subject)).attachment?.equals(revised)).toBe(true);

  await buyer.download(id, 'original');
  expect(await leaving()).toContainEqual(expect.stringMatching(/^Payment received/));
});
