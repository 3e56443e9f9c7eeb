import { afterAll, beforeAll, expect, test } from 'vitest';
import { activateProduct } from '#contract/marketplace.ts';
import { createSupportMessage, listSupportMessages } from '#contract/support.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

test('a message is stored, shown only to its author, and mailed to the support team', async () => {
  const token = await portal.newCustomer();
  const { activationId } = await portal.ask(activateProduct, { params: { id: 'tax-lookup-api' } }, token);
  const body = {
    subject: 'A question',
    message: 'How do I search by name?\n\nThank you <b>very</b> much',
    activationId,
  };
  const sent = await portal.ask(createSupportMessage, { body }, token);
  expect(sent).toMatchObject({ ...body, id: expect.stringMatching(/^SUP-/) });
  expect(await portal.ask(listSupportMessages, {}, token)).toEqual([sent]);
  expect(await portal.ask(listSupportMessages, {}, await portal.newCustomer())).toEqual([]);
  const mails = await portal.portal.db
    .selectFrom('mails')
    .selectAll()
    .where('dedupe_key', '=', `support:${sent.id}`)
    .execute();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ recipient: 'support@example.com', subject: `${sent.id}: A question` });
  expect(mails[0]?.body_html).not.toContain('<b>very</b>');
});

test.each([
  [{ subject: '', message: 'x' }, '/subject'],
  [{ subject: 'x', message: '   ' }, '/message'],
  [{ subject: 'x'.repeat(121), message: 'x' }, '/subject'],
])('a message such as %j is refused with an error at %s', async (fields, pointer) => {
  const token = await portal.newCustomer();
  const response = await portal.send(createSupportMessage, { body: { ...fields, activationId: null } }, token);
  expect(response.body).toMatchObject({ status: 400, errors: [expect.objectContaining({ pointer })] });
});
