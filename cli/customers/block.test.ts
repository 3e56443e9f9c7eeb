import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { startTestGateways, type TestGateways } from '#cli/test-gateways.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey, rotateApiKey } from '#shared/contract/api-keys.ts';
import { addCycle, buyPack, switchPlan } from '#shared/contract/cycles.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { activatePlan, activateProduct, activateService } from '#shared/contract/marketplace.ts';
import { createOrder, createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { dayOf } from '#shared/domain/day.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import type { TestPortal } from '#server/test/portal.ts';

let gateways: TestGateways;
let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  // More calls a second than a test can make: its calls come in the same second on a quick machine.
  gateways = await startTestGateways(3, { 'tax-lookup-api': { 'plans.free.rps': '1000' } });
  portal = gateways.portal;
});
afterAll(() => gateways.close());

/** A customer with a free plan and a live and a test key. */
async function newCaller() {
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const { activationId } = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, token);
  const make = (keyName: string, isTest: boolean) =>
    portal.ask(createApiKey, { params: { activationId }, body: { keyName, isTest } }, token);
  return { token, id: user.id, activationId, live: await make('live', false), trial: await make('test', true) };
}

const three = (result: string) => [result, result, result];
const because = ['--reason', 'Keys were sold to others', '--actor', 'asha'];

test('a blocked customer is refused by three gateways from the next call on, and unblocking restores everything', async () => {
  const caller = await newCaller();
  const stranger = await newCaller();
  expect(await gateways.callEach(caller.live.apiKey)).toEqual(three('200 ok'));
  expect(await run(['customers', 'block', caller.id, ...because, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('Calls with all 2 keys will be refused with 403');
  expect(await run(['customers', 'block', caller.id, ...because])).toBe(exitCodes.usage);
  expect(await gateways.callEach(caller.live.apiKey)).toEqual(three('200 ok'));
  terminal.out = '';
  expect(await run(['customers', 'block', caller.id, ...because, '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({
    changed: true,
    effectiveBy: null,
    blockedReason: 'Keys were sold to others',
  });
  expect(await gateways.callEach(caller.live.apiKey)).toEqual(three('403 account-blocked'));
  expect(await gateways.callEach(caller.trial.apiKey)).toEqual(three('403 account-blocked'));
  expect(await gateways.callEach(stranger.live.apiKey)).toEqual(three('200 ok'));
  for (const how of ['--dry-run', '--yes']) {
    terminal.errors = '';
    expect(await run(['customers', 'block', caller.id, ...because, how])).toBe(exitCodes.failed);
    expect(terminal.errors).toContain('is blocked already');
  }
  terminal.out = '';
  expect(await run(['customers', 'show', caller.id])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(/Blocked since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d IST: Keys were sold to others/);

  // The session goes on: the customer reads why, and can download what the law grants.
  const { blocked, providerActions } = await portal.ask(readAccount, {}, caller.token);
  expect(blocked).toMatchObject({ reason: 'Keys were sold to others' });
  expect(providerActions).toMatchObject([{ action: 'customers.block', reason: 'Keys were sold to others' }]);
  expect(await portal.ask(listDocuments, {}, caller.token)).toEqual({ documents: [] });

  expect(await run(['customers', 'unblock', caller.id, '--reason', 'Cleared up', '--yes'])).toBe(exitCodes.done);
  expect(await gateways.callEach(caller.live.apiKey)).toEqual(three('200 ok'));
  expect((await portal.ask(readAccount, {}, caller.token)).blocked).toBeNull();
  expect(await run(['customers', 'unblock', caller.id, '--reason', 'Again', '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is not blocked');
  const mails = await portal.portal.db
    .selectFrom('mails')
    .select('subject')
    .where('customer_id', '=', caller.id)
    .execute();
  expect(mails.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['We blocked your account', 'Your account is no longer blocked']),
  );
});

test('a blocked customer can’t buy, pay or make keys, and a payment under way is refunded', async () => {
  const { token, id, activationId, live } = await newCaller();
  const startDate = dayOf(portal.portal.clock() + 40 * 86_400_000);
  const { billingCycleId = '' } = await portal.ask(
    addCycle,
    { params: { activationId, planId: 'growth' }, body: { startDate } },
    token,
  );
  const { orderId } = await portal.ask(createOrder, { params: { id: billingCycleId } }, token);
  const body = await portal.checkOut(orderId);
  expect(await run(['customers', 'block', id, ...because, '--yes'])).toBe(exitCodes.done);
  const refused = await Promise.all([
    portal.send(activatePlan, { params: { id: 'invoicing-system', planId: 'free' } }, token),
    portal.send(activateProduct, { params: { id: 'invoicing-system' } }, token),
    portal.send(activateService, { body: { serviceId: 'invoicing-system', planId: 'free' } }, token),
    portal.send(addCycle, { params: { activationId, planId: 'growth' }, body: { startDate: '2099-01-01' } }, token),
    portal.send(switchPlan, { params: { activationId, planId: 'growth' } }, token),
    portal.send(buyPack, { params: { activationId, packId: 'extra' } }, token),
    portal.send(createOrder, { params: { id: billingCycleId } }, token),
    portal.send(createOrderOfPeriods, { params: { activationId }, body: { billingCycleIds: [billingCycleId] } }, token),
    portal.send(createApiKey, { params: { activationId }, body: { keyName: 'more', isTest: false } }, token),
    portal.send(rotateApiKey, { params: { activationId, keyId: live.id }, body: { overlapHours: 0 } }, token),
  ]);
  expect(refused.map(({ body }) => body)).toEqual(
    refused.map(() => expect.objectContaining({ code: 'account_blocked' })),
  );
  await portal.ask(verifyPayment, { body }, token);
  const { db } = portal.portal;
  expect(await db.selectFrom('refunds').select('reason').where('customer_id', '=', id).execute()).toEqual([
    { reason: 'The account is blocked' },
  ]);
});

test('a block is in the audit log, or it is not made', async () => {
  const { id } = await newCaller();
  const { db } = portal.portal;
  await expect(
    db
      .updateTable('customers')
      .set({ blocked_at: new Date(), blocked_reason: 'By SQL' })
      .where('id', '=', id)
      .execute(),
  ).rejects.toThrow('is not in the audit log');
  expect(await run(['customers', 'block', 'CUS-nobody', ...because, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no customer CUS-nobody');
  expect(await run(['customers', 'block', id, '--reason', ' ', '--yes'])).not.toBe(exitCodes.done);
  expect(await run(['customers', 'block', id, ...because, '--yes'])).toBe(exitCodes.done);
  expect(await listActions(db, { limit: 1 })).toMatchObject([
    { actor: 'asha', action: 'customers.block', target: id, customerId: id, effect: { keysInUse: 2 } },
  ]);
  // An older entry of the same words is not that of a later change.
  expect(await run(['customers', 'unblock', id, ...because, '--yes'])).toBe(exitCodes.done);
  const setBlock = (blocked_at: Date | null, blocked_reason: string | null) =>
    db.updateTable('customers').set({ blocked_at, blocked_reason }).where('id', '=', id).execute();
  await expect(setBlock(new Date(), 'Keys were sold to others')).rejects.toThrow('is not in the audit log');
  expect(await run(['customers', 'block', id, ...because, '--yes'])).toBe(exitCodes.done);
  await expect(setBlock(null, null)).rejects.toThrow('is not in the audit log');
});
