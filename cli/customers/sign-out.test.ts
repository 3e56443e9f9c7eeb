import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { usageStreamPath } from '#shared/contract/usage.ts';
import { backendPath } from '#server/http/app.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

test('a customer who is signed out everywhere signs in again, on live pages too; others stay', async () => {
  const token = await portal.newCustomer();
  const other = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const { activationId } = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, token);
  const live = await fetch(
    `${portal.portalUrl}${backendPath}${usageStreamPath.replace(':activationId', activationId)}`,
    { headers: { authorization: `Bearer ${token}` } },
  );
  expect(live.status).toBe(200);
  const signOut = (...more: string[]) =>
    run(['customers', 'sign-out', user.id, '--reason', 'A stolen laptop', '--actor', 'asha', ...more]);
  expect(await signOut('--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain('1 session ends');
  expect((await portal.send(readAccount, {}, token)).status).toBe(200);
  terminal.out = '';
  expect(await signOut('--yes', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ ended: true, customerId: user.id, sessions: 1 });
  expect((await portal.send(readAccount, {}, token)).status).toBe(401);
  expect((await portal.send(readAccount, {}, other)).status).toBe(200);
  // The body ends when the stream does.
  await live.text();
  expect(await signOut('--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is signed in nowhere');
});
