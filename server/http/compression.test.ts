import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

test('responses and the page are compressed when that makes them smaller and the client accepts it', async () => {
  const token = await portal.newCustomer();
  const read = async (path: string, encoding: string) => {
    const response = await fetch(`${portal.portalUrl}${path}`, {
      headers: { 'accept-encoding': encoding, authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    return response.headers.get('content-encoding');
  };
  expect(await read('/backend/marketplace', 'br')).toBe('br');
  expect(await read('/backend/marketplace', 'gzip')).toBe('gzip');
  expect(await read('/backend/marketplace', 'identity')).toBeNull();
  expect(await read('/backend/devportal/services/nothing/usage', 'br'), 'a short one').toBeNull();
});
