import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { startTestGateways, type TestGateways } from '#cli/test-gateways.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import type { TestPortal } from '#server/test/portal.ts';

let gateways: TestGateways;
let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  gateways = await startTestGateways(2, { 'tax-lookup-api': { 'plans.free.rps': '1000' } });
  portal = gateways.portal;
});
afterAll(() => gateways.close());

async function newCaller() {
  const token = await portal.newCustomer();
  const { activationId } = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, token);
  const body = { keyName: 'a', isTest: false };
  const { apiKey } = await portal.ask(createApiKey, { params: { activationId }, body }, token);
  return { token, activationId, apiKey };
}

const set = (activationId: string, calls: string, ...more: string[]) =>
  run(['quota', 'rate', activationId, calls, '--reason', 'Their sale', '--actor', 'asha', ...more]);

/** How many of eight calls at the same time each gateway lets through. */
const throughEach = (apiKey: string) =>
  Promise.all(
    [0, 1].map(async (gateway) => {
      const results = await Promise.all(Array.from({ length: 8 }, () => gateways.call(gateway, apiKey)));
      return results.filter((result) => result === '200 ok').length;
    }),
  );

test('calls per second of an activation are changed on every gateway at once, and taken back; what was sold stays', async () => {
  const { token, activationId, apiKey } = await newCaller();
  const shown = async () => (await portal.ask(listActivations, {}, token)).activations[0]?.billingCycles[0]?.rps;
  expect(await throughEach(apiKey)).toEqual([8, 8]);
  expect(await set(activationId, '1', '--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain('the calls per second of its plans → 1 calls per second');
  expect(await shown()).toBe(1000);
  terminal.out = '';
  expect(await set(activationId, '1', '--yes', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ changed: true, before: null, callsPerSecond: 1, effectiveBy: null });
  for (const through of await throughEach(apiKey)) expect(through).toBeLessThan(8);
  expect(await shown()).toBe(1);
  expect(await set(activationId, '1', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('has 1 calls per second already');
  expect(await set(activationId, 'plan', '--yes')).toBe(exitCodes.done);
  expect(await throughEach(apiKey)).toEqual([8, 8]);

  const { db } = portal.portal;
  const { providerActions } = await portal.ask(readAccount, {}, token);
  expect(providerActions).toMatchObject([
    { action: 'rate.set', target: activationId, reason: 'Their sale' },
    { action: 'rate.set', target: activationId, reason: 'Their sale' },
  ]);
  const mails = await db.selectFrom('mails').select('subject').where('subject', 'like', '%calls per second%').execute();
  expect(mails).toHaveLength(2);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});

test('calls per second that are no number, of no activation or not in the audit log are refused', async () => {
  const { activationId } = await newCaller();
  for (const calls of ['0', '1.5', 'many']) expect(await set(activationId, calls, '--yes')).toBe(exitCodes.usage);
  expect(await set(activationId, '100001', '--yes')).toBe(exitCodes.failed);
  expect(await set('ACT-nobody', '5', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no activation ACT-nobody');
  expect(await set(activationId, 'plan', '--yes')).toBe(exitCodes.failed);
  const { db } = portal.portal;
  const bySql = () => sql`update activations set calls_per_second = 7 where id = ${activationId}`.execute(db);
  await expect(bySql()).rejects.toThrow('is not in the audit log');
  expect(await set(activationId, '7', '--yes')).toBe(exitCodes.done);
  expect(await set(activationId, 'plan', '--yes')).toBe(exitCodes.done);
  // The entry of an earlier change with the same number is not that of this one.
  await expect(bySql()).rejects.toThrow('is not in the audit log');
});
