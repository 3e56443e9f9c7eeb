import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { startReceiver } from '#server/features/webhooks/test-receiver.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const terminal = captureTerminal();

beforeAll(async () => {
  portal = await startTestPortal({ rounds: true });
  receiver = await startReceiver();
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  vi.stubEnv('WEBHOOKS_TO_LOOPBACK', 'yes');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  receiver.close();
  await portal.close();
});

const because = ['--reason', 'CRM', '--actor', 'asha', '--yes'];
/** The output of a command that must succeed. */
async function said(...words: string[]): Promise<string> {
  terminal.out = '';
  expect(await run(['webhooks', ...words]), terminal.errors).toBe(exitCodes.done);
  return terminal.out;
}

test('a webhook is added, tested, changed, switched off and on, and removed, and its deliveries are shown', async () => {
  expect(await said('list')).toContain('No webhooks.');
  const added = await said('add', receiver.url, '--events', 'customer.created', ...because);
  const [id = ''] = /WHK-\w+/.exec(added) ?? [];
  expect(added).toMatch(/Signing secret, shown only now: whsec_/);
  expect(await said('list')).toContain(`${id}  ${receiver.url}  on  customer.created`);

  const [delivery = ''] = /DLV-\w+/.exec(await said('test', id, ...because)) ?? [];
  await receiver.next(({ type }) => type === 'webhook.test');
  await expect.poll(() => said('deliveries', id), { timeout: 60_000 }).toContain(`${delivery}  `);
  await expect
    .poll(() => said('delivery', delivery), { timeout: 60_000 })
    .toMatch(/DELIVERED[^]*webhook\.test[^]* ms  200/);
  await said('resend', delivery, ...because);
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(2);

  expect(await said('change', id, '--off', ...because)).toContain('off: OWNER');
  const events = 'customer.created,payment.captured';
  expect(await said('change', id, '--on', '--events', events, ...because)).toContain(`on  ${events}`);
  expect(await said('roll-secret', id, '--overlap', '0', ...because)).toMatch(/whsec_/);
  await said('remove', id, ...because);
  expect(await said('list')).toContain('No webhooks.');
  expect((await listActions(portal.portal.db, { limit: 20 })).map(({ action }) => action)).toEqual([
    'endpoints.remove',
    'endpoints.roll-secret',
    'endpoints.change',
    'endpoints.change',
    'endpoints.resend',
    'endpoints.test',
    'endpoints.create',
  ]);
});
