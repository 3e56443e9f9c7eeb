import { expect, test } from 'vitest';
import { useConformance } from '#gateway/test/conformance.ts';
import { lenientResponses } from './lenient-responses.ts';

const { callFor, counts } = useConformance('proxied');

test('without it, responses without a body that name a length are delivered and counted all the same', async () => {
  lenientResponses.disable();
  for (const status of [304, 204, 304])
    expect(await callFor({ status, headers: ['Content-Length', '9', 'ETag', '"a"'] })).toMatchObject({
      status,
      headers: { etag: ['"a"'] },
      body: '',
    });
  await counts(3);
  expect(await lenientResponses.selfTest(), 'the self-test notices').toBe(false);
});
