import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerAccountantRequest, askAccountant, readAccountant } from '#shared/contract/accountants.ts';
import { removeMember } from '#shared/contract/members.ts';
import {
  createWebhook,
  listWebhookAttempts,
  listWebhookDeliveries,
  listWebhooks,
  updateWebhook,
} from '#shared/contract/webhooks.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

// What a member made or got beside the session: webhooks, and the mails to an accountant.
let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
});
afterAll(() => portal.close());

const url = 'https://1.1.1.1/';

/** A customer with a paper, whose accountant gets them by mail. */
async function withAccountant(email: string) {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  await portal.ask(askAccountant, { body: { email } }, buyer.token);
  const { body_text: text } = await portal.portal.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow();
  const [, accountantId = '', signature = ''] = /\/accountant\/(ACN-\w+)\?signature=(\w+)/.exec(text) ?? [];
  await portal.ask(answerAccountantRequest, { params: { accountantId }, query: { signature }, body: { wanted: true } });
  return buyer;
}

test('a removal says which webhooks the member added, and that papers still go to its address by mail', async () => {
  const { token: owner } = await withAccountant('books.and.code@gmail.com');
  const { token } = await people.join(owner, 'booksandcode@gmail.com', 'developer');
  const { webhook } = await portal.ask(createWebhook, { body: { url, events: ['quota.reached'] } }, token);
  await portal.ask(createWebhook, { body: { url, events: ['quota.reached'] } }, owner);
  const removed = await portal.ask(removeMember, { params: { memberId: await people.memberOf(token) } }, owner);
  expect(removed).toEqual({
    keys: [],
    webhooks: [{ id: webhook.id, url }],
    accountantEmail: 'books.and.code@gmail.com',
  });
});

test('an accountant who becomes one as a member gets no papers of the month by mail too; a developer of the address still does', async () => {
  const { token: owner } = await withAccountant('first.books@gmail.com');
  await people.join(owner, 'firstbooks@gmail.com', 'accountant');
  expect((await portal.ask(readAccountant, {}, owner)).accountant).toBeNull();
  const { token: other } = await withAccountant('second.books@gmail.com');
  await people.join(other, 'secondbooks@gmail.com', 'developer');
  expect((await portal.ask(readAccountant, {}, other)).accountant).toMatchObject({ email: 'second.books@gmail.com' });
});

test('a developer neither chooses events of money, nor moves a webhook that has them, nor reads what they say', async () => {
  const buyer = await newBuyer(portal);
  const owner = buyer.token;
  const { token } = await people.join(owner, 'no.money@gmail.com', 'developer');
  const refused = await portal.send(
    createWebhook,
    { body: { url, events: ['quota.reached', 'invoice.issued'] } },
    token,
  );
  expect(refused).toMatchObject({ status: 403 });
  const { webhook } = await portal.ask(createWebhook, { body: { url, events: ['invoice.issued'] } }, owner);
  const params = { webhookId: webhook.id };
  for (const events of [['invoice.issued'], ['quota.reached']] as const)
    expect(
      (
        await portal.send(
          updateWebhook,
          { params, body: { url: 'https://1.0.0.1/', events: [...events], enabled: true } },
          token,
        )
      ).status,
    ).toBe(403);
  expect((await portal.ask(listWebhooks, {}, owner)).webhooks).toMatchObject([{ url, events: ['invoice.issued'] }]);
  await buyer.buy(0);
  const [own] = (await portal.ask(listWebhookDeliveries, { params }, owner)).deliveries;
  expect(own).toMatchObject({ type: 'invoice.issued', body: expect.stringContaining('total') });
  const [seen] = (await portal.ask(listWebhookDeliveries, { params }, token)).deliveries;
  expect(seen).toMatchObject({ id: own?.id, body: null, responseStart: null });
  const attempts = await portal.ask(listWebhookAttempts, { params: { ...params, deliveryId: own?.id ?? '' } }, token);
  expect(JSON.stringify(attempts)).not.toContain('total');
});
