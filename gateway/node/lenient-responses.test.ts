import { expect, test } from 'vitest';
import { useConformance } from '#gateway/test/conformance.ts';
import { lenientResponses } from './lenient-responses.ts';

const { callFor, counts } = useConformance('proxied');

test('without it, 100 Continue that nobody asked for is a 502, and other responses are delivered', async () => {
  lenientResponses.disable();
  expect(await callFor({ status: 204 })).toMatchObject({ status: 204, body: '' });
  expect(await callFor('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')).toMatchObject({
    status: 502,
  });
  await counts(1, 1);
  expect(await lenientResponses.selfTest(), 'the self-test notices').toBe(false);
});
