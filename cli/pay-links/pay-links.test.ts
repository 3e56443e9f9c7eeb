import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { readPayLink } from '#shared/contract/pay-links.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

const found = z.object({ url: z.string(), plans: z.array(z.object({ cycleId: z.string() })) });

async function linkOf(id: string): Promise<string> {
  terminal.out = '';
  expect(await run(['pay-links', 'show', id, '--json'])).toBe(exitCodes.done);
  return new URL(found.parse(JSON.parse(terminal.out)).url).hash.slice(1);
}

test('an operator prints a pay link, ends those so far with a reason that the customer reads, and prints a new one', async () => {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId: cycleId = '' } = await portal.ask(activatePlan, plan, token);
  const state = async (link: string) => (await portal.ask(readPayLink, { body: { link } })).state;
  const link = await linkOf(activationId);
  expect(await linkOf(cycleId)).toBe(link);
  expect(await state(link)).toBe('OPEN');
  const end = (...more: string[]) =>
    run(['pay-links', 'end', activationId, '--reason', 'Sent to the wrong company', '--actor', 'asha', ...more]);
  expect(await end('--dry-run')).toBe(exitCodes.done);
  expect(await state(link)).toBe('OPEN');
  expect(await end('--yes')).toBe(exitCodes.done);
  expect(await state(link)).toBe('WITHDRAWN');
  expect(await state(await linkOf(activationId))).toBe('OPEN');
  const { providerActions } = await portal.ask(readAccount, {}, token);
  expect(providerActions).toMatchObject([
    { action: 'pay-links.end', target: activationId, reason: 'Sent to the wrong company' },
  ]);
  const {
    user: { id: customerId },
  } = await portal.ask(readAccount, {}, token);
  const shown = async () => {
    terminal.out = '';
    expect(await run(['pay-links', 'show', activationId])).toBe(exitCodes.done);
    return terminal.out;
  };
  expect(await shown()).not.toContain('can’t be paid now');
  for (const [does, says] of [
    ['block', true],
    ['unblock', false],
  ] as const) {
    expect(await run(['customers', does, customerId, '--reason', 'Spam', '--actor', 'asha', '--yes'])).toBe(0);
    expect((await shown()).includes('It can’t be paid now: the customer is blocked')).toBe(says);
  }
  await portal.buy(token, cycleId);
  expect(await run(['pay-links', 'show', activationId])).toBe(exitCodes.failed);
});
