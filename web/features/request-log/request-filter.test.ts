import { expect, test } from 'vitest';
import { readRequestFilter } from '#web/features/request-log/request-filter.ts';

test('the filter is read from the address', () => {
  const search = new URLSearchParams('from=2026-11-20&to=2026-11-21&key=KEY-1&status=4xx&counted=no&q=+key-invalid+');
  expect(readRequestFilter(search)).toEqual({
    from: '2026-11-20',
    to: '2026-11-21',
    keyId: 'KEY-1',
    status: '4xx',
    counted: 'no',
    q: 'key-invalid',
  });
});

test.each(['', 'from=yesterday', 'status=9xx', 'status=4', 'counted=maybe'])('"%s" filters nothing', (address) => {
  expect(readRequestFilter(new URLSearchParams(address))).toEqual({});
});
