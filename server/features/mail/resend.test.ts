import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { actAsOperator, previewAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { createMailer } from '#server/smtp/mailer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { sendMail } from './mail.ts';
import { startMailServer } from './test-mail-server.ts';

const cause = { actor: 'asha', reason: 'Asked by phone' };
let portal: TestPortal;
let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'Octroi <billing@octroi.example>');
  portal = await startTestPortal({ mailer, jobs: false });
});
afterAll(async () => {
  await portal.close();
  await server.close();
});

const mailOf = async (customerId: string) =>
  (await readAsOperator(portal.portal, 'support', 'listMails', { customerId })).mails;

/** A customer whose receipt waits for its invoice. */
async function paid() {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [document] = await buyer.documents();
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', buyer.activationId)
    .executeTakeFirstOrThrow();
  const [mail] = await mailOf(customerId);
  return { customerId, mailId: mail?.id ?? '', print: () => buyer.download(document?.id ?? '') };
}

test('a mail is sent again as a new one, with its text and its document, and the action is in the audit log', async () => {
  const { customerId, mailId, print } = await paid();
  const send = () => actAsOperator(portal.portal, 'support', 'resendMail', { mailId }, cause);
  await expect(send()).rejects.toThrow('leaves by itself');
  await print();
  await sendMail(portal.portal, mailId);
  const preview = await previewAsOperator(portal.portal, 'support', 'resendMail', { mailId }, cause);
  expect(preview).toMatchObject({ mailId, customerId, copyId: null, text: expect.stringContaining('₹1,499') });
  const { copyId } = await send();
  await sendMail(portal.portal, copyId ?? '');
  const sent = server.received(preview.recipient);
  expect(sent.map(({ text, attachmentNames }) => ({ text, files: attachmentNames.length }))).toEqual([
    { text: sent[0]?.text, files: 1 },
    { text: sent[0]?.text, files: 1 },
  ]);
  const { actions } = await readAsOperator(portal.portal, 'support', 'readCustomer', { customerId });
  expect(actions).toMatchObject([{ action: 'mails.resend', target: mailId, effect: { copyId } }]);
});

test('a mail that cannot be sent says why and waits for an operator, until it is sent', async () => {
  const { customerId, mailId, print } = await paid();
  await print();
  const { mailer } = portal.portal;
  portal.portal.mailer = createMailer('smtp://127.0.0.1:9', 'Octroi <billing@octroi.example>');
  await expect(sendMail(portal.portal, mailId)).rejects.toThrow('A mail was not taken');
  portal.portal.mailer = mailer;
  const failed = async () => {
    const { kinds } = await readAsOperator(portal.portal, 'read-only', 'listWaiting', { kind: 'FAILED_MAIL' });
    return kinds.flatMap(({ waiting }) => waiting);
  };
  // It is tried again within seconds.
  expect(await failed()).toEqual([]);
  portal.moveClock(2 * 3_600_000);
  expect(await failed()).toMatchObject([{ id: mailId, customerId, about: expect.stringContaining('ECONNREFUSED') }]);
  const asked = await actAsOperator(portal.portal, 'support', 'resendMail', { mailId }, cause);
  expect(asked).toMatchObject({ copyId: null, fault: expect.stringContaining('ECONNREFUSED') });
  await sendMail(portal.portal, mailId);
  expect(await failed()).toEqual([]);
  expect(await mailOf(customerId)).toMatchObject([{ id: mailId, fault: null, sentAt: expect.any(String) }]);
});
