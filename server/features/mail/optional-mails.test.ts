import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount, updateMails } from '#shared/contract/account.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { optionalMails } from '#shared/domain/mail-kind.ts';
import { transaction } from '#shared/database/transaction.ts';
import { happened } from '#server/features/events/events.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const webhookOff = (id: string): PortalEvent => ({
  type: 'webhook.disabled',
  webhookId: id,
  url: 'https://shop.example/hook',
  reason: 'GONE',
  at: new Date('2026-11-23T06:00:00Z'),
});
const newNetwork: PortalEvent = {
  type: 'key.new_network',
  keyId: 'KEY-1',
  keyName: 'prod1',
  activationId: 'ACT-1',
  address: '203.0.113.7',
  client: 'curl/8.5.0',
  at: new Date('2026-11-23T06:00:00Z'),
  day: '2026-11-23',
};

test('a kind of mail that is switched off is not written, until it is switched on again; security mails always are', async () => {
  const token = await portal.newCustomer();
  const account = await portal.ask(readAccount, {}, token);
  expect(account.mailsOff).toEqual([]);
  const owner = { customerId: account.user.id };
  const publish = (event: PortalEvent) =>
    transaction(portal.portal.db, (tx) => happened(portal.portal, owner, tx, event));
  const subjects = async () => {
    const rows = await portal.portal.db
      .selectFrom('mails')
      .select('subject')
      .where('customer_id', '=', account.user.id)
      .orderBy('created_at')
      .execute();
    return rows.map(({ subject }) => subject);
  };

  await portal.ask(updateMails, { body: { mailsOff: [...optionalMails] } }, token);
  expect((await portal.ask(readAccount, {}, token)).mailsOff).toEqual([...optionalMails]);
  await publish(webhookOff('WH-1'));
  await publish(newNetwork);
  expect(await subjects()).toEqual(['API key prod1: first use from a new network']);

  await portal.ask(updateMails, { body: { mailsOff: ['quota.reached'] } }, token);
  await publish(webhookOff('WH-2'));
  expect(await subjects()).toHaveLength(2);
});

test('mails that the law or security needs cannot be switched off, by the call or in the database', async () => {
  const token = await portal.newCustomer();
  for (const kind of [
    'payment.received',
    'key.new_network',
    'papers',
    'bills',
    'renewals',
    'service',
    'keys',
    'anything',
  ]) {
    const response = await fetch(`${portal.portalUrl}/backend${updateMails.path}`, {
      method: updateMails.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ mailsOff: [kind] }),
    });
    expect(response.status).toBe(400);
  }
  const { user } = await portal.ask(readAccount, {}, token);
  const update = portal.portal.db
    .updateTable('members')
    .set({ mails_off: ['key.new_network'] })
    .where('customer_id', '=', user.id)
    .execute();
  await expect(update).rejects.toThrow(/mails_off/);
});

test('each mail to a customer leads to the choice of mails; one to support does not', async () => {
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const owner = { customerId: user.id };
  await transaction(portal.portal.db, async (tx) => {
    await happened(portal.portal, owner, tx, webhookOff('WH-3'));
    await happened(portal.portal, owner, tx, {
      type: 'erasure.asked',
      requestId: 'ERQ-1',
      at: new Date('2026-11-23T06:00:00Z'),
    });
  });
  const mails = await portal.portal.db
    .selectFrom('mails')
    .select(['subject', 'body_text', 'body_html'])
    .where('customer_id', '=', user.id)
    .execute();
  const link = `${portal.portalUrl}/account?view=mails`;
  expect(
    mails
      .map(({ subject, body_text: text, body_html: html }) => [
        subject.slice(0, 7),
        text.includes(`Choose your mails: ${link}`),
        html.includes(`href="${link}"`),
      ])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
  ).toEqual([
    ['ERQ-1: ', false, false],
    ['Webhook', true, true],
  ]);
});
