import { afterEach, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal | undefined;
afterEach(() => portal?.close());

/** How many of 20 calls succeed when an address may make 12 per minute. */
async function countSuccessful(trustedProxies: string, forwardedFor: (call: number) => string): Promise<number> {
  portal = await startTestPortal({ jobs: false, env: { SIGN_INS_PER_MINUTE: '3', TRUSTED_PROXIES: trustedProxies } });
  let count = 0;
  for (let call = 0; call < 20; call += 1) {
    const headers = { 'x-forwarded-for': forwardedFor(call) };
    const { status } = await fetch(`${portal.portalUrl}/backend/account/sign-in-nonce`, { method: 'POST', headers });
    if (status === 200) count += 1;
  }
  return count;
}

test('X-Forwarded-For is ignored when no proxy is listed', async () => {
  expect(await countSuccessful('', (call) => `203.0.113.${call}`)).toBe(12);
});

test('in X-Forwarded-For the last address that is not a listed proxy counts, not what the client wrote', async () => {
  expect(await countSuccessful('127.0.0.0/8, 10.0.0.0/8', (call) => `203.0.113.${call}, 198.51.100.7, 10.0.0.5`)).toBe(
    12,
  );
});

test('behind a listed proxy each caller has a limit of its own', async () => {
  expect(await countSuccessful('127.0.0.1', (call) => `198.51.100.${call}`)).toBe(20);
});

test('the addresses of one /64 of IPv6 share a limit', async () => {
  expect(await countSuccessful('127.0.0.1', (call) => `2001:db8::${call}`)).toBe(12);
});
