import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { createApiKey } from '#contract/api-keys.ts';
import { activatePlan } from '#contract/marketplace.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test-portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal();
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

test('a customer is found by name, payment, key or activation, and shown with plans, keys, payments and actions', async () => {
  const token = await portal.newCustomer({ ...sampleProfile, legalName: 'Godavari Mills' });
  await portal.newCustomer();
  const params = { id: 'tax-lookup-api', planId: 'growth' };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, { params }, token);
  const { paymentId } = await portal.buy(token, billingCycleId);
  const key = await portal.ask(
    createApiKey,
    { params: { activationId }, body: { keyName: 'a', isTest: false } },
    token,
  );
  for (const sought of ['godavari', paymentId, key.id, activationId, billingCycleId]) {
    terminal.out = '';
    expect(await run(['customers', 'find', sought])).toBe(exitCodes.done);
    expect(terminal.out).toMatch(/^CUS-\S+ {2}Godavari Mills {2}<p1@example\.com>\n$/);
  }
  const [id = ''] = terminal.out.split(' ', 1);
  expect(await run(['keys', 'revoke', key.id, '--reason', 'It leaked', '--actor', 'asha', '--yes'])).toBe(
    exitCodes.done,
  );
  terminal.out = '';
  expect(await run(['customers', 'show', id])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(
    new RegExp(`${activationId} {2}tax-lookup-api {2}Growth until \\S+ \\(PAID, ${billingCycleId}\\) {2}0 keys in use`),
  );
  expect(terminal.out).toContain(`${paymentId}  `);
  expect(terminal.out).toMatch(/asha {2}keys\.revoke {2}KEY-\S+ {2}It leaked/);
  terminal.out = '';
  expect(await run(['actions', '--customer', id, '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ actions: [{ position: 1, actor: 'asha', action: 'keys.revoke' }] });
  expect(await run(['actions', '--customer', 'CUS-nobody', '--json'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no customer CUS-nobody');
  terminal.errors = '';
  expect(await run(['customers', 'find', '%%%'])).toBe(exitCodes.failed);
  expect(await run(['customers', 'find', 'ab'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('at least three characters');
  expect(await run(['customers', 'show', 'CUS-nobody'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no customer CUS-nobody');
});
