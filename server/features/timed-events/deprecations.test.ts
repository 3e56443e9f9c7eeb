import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { createApiKey, revokeApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan, listProducts } from '#shared/contract/marketplace.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { webhookBodySchema } from '#shared/contract/webhook-events.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { itemsOf } from '#server/rounds/test-items.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { announceDeprecations } from './timed-events.ts';

const today = dayOf(Date.now());
const sunset = addDays(today, 180);
const deprecations = [
  { of: 'v1', since: today, sunset, note: { en: 'Use v2.', hi: 'v2 काम में लें।' }, link: 'https://a.example/v2' },
  { of: 'GET /v2/later', since: addDays(today, 1), note: 'Use something else.' },
  { of: 'GET /v1/gone', since: addDays(today, -9), sunset: addDays(today, -1), note: 'It is gone.' },
];
const changelog = [
  { on: '2026-01-05', text: 'First version.' },
  { on: '2026-11-20', text: { en: 'Version 2.', hi: 'संस्करण 2।' } },
];
let portal: TestPortal;
beforeAll(async () => {
  const life = { deprecations: JSON.stringify(deprecations), changelog: JSON.stringify(changelog) };
  const catalogDir = changedCatalog({ 'tax-lookup-api': life });
  portal = await startTestPortal({ jobs: false, catalogDir });
});
afterAll(() => portal.close());

/** A customer with a webhook and, unless `keys` is `none`, a key. */
async function holder(keys: 'one' | 'revoked' | 'none', serviceId = 'tax-lookup-api') {
  const token = await portal.newCustomer();
  const { activationId } = await portal.ask(activatePlan, { params: { id: serviceId, planId: 'free' } }, token);
  await portal.ask(createWebhook, { body: { url: 'https://1.1.1.1/hook', events: ['api.deprecated'] } }, token);
  if (keys === 'none') return activationId;
  const body = { keyName: 'a', isTest: false };
  const { id } = await portal.ask(createApiKey, { params: { activationId }, body }, token);
  if (keys === 'revoked') await portal.ask(revokeApiKey, { params: { activationId, keyId: id } }, token);
  return activationId;
}

test('customers who hold a key are told of a deprecation once, by mail and webhook, and nobody else', async () => {
  const told = await holder('one');
  await holder('revoked');
  await holder('none');
  await holder('one', 'invoicing-system');
  expect(await itemsOf(portal.portal.db, (items) => announceDeprecations(portal.portal, today, items))).toEqual([told]);
  for (let round = 0; round < 3; round += 1) await announceDeprecations(portal.portal, today);
  const { db } = portal.portal;
  const mails = await db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('subject', 'like', '%deprecated%')
    .execute();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).toMatch(/^Version v1 of .* is deprecated and may end on /);
  expect(mails[0]?.body_text).toContain('Use v2.');
  const events = await db.selectFrom('webhook_events').select('body').where('type', '=', 'api.deprecated').execute();
  expect(events).toHaveLength(1);
  const { data } = webhookBodySchema('api.deprecated').parse(JSON.parse(events[0]?.body ?? ''));
  expect(data).toMatchObject({
    activationId: told,
    deprecated: 'v1',
    since: today,
    sunset,
    note: 'Use v2.',
    link: 'https://a.example/v2',
  });
  // A customer who makes a key later hears of it then.
  await holder('one');
  await announceDeprecations(portal.portal, today);
  expect(
    await db.selectFrom('webhook_events').select('id').where('type', '=', 'api.deprecated').execute(),
  ).toHaveLength(2);
});

test('a product shows what changed, newest first, and what is deprecated, in the language of the customer', async () => {
  const token = await portal.newCustomer();
  const product = (await portal.ask(listProducts, {}, token)).find(({ id }) => id === 'tax-lookup-api');
  expect(product?.changelog).toEqual([
    { on: '2026-11-20', text: 'Version 2.' },
    { on: '2026-01-05', text: 'First version.' },
  ]);
  expect(product?.deprecations[0]).toEqual({
    of: 'v1',
    since: today,
    sunset,
    note: 'Use v2.',
    link: 'https://a.example/v2',
  });
  const response = await fetch(`${portal.portalUrl}/backend/marketplace`, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': 'hi' },
  });
  expect(await response.text()).toContain('v2 काम में लें।');
});
