import { expect, test } from 'vitest';
import { z } from 'zod';
import { startForTest, startHook } from '#ship/standins/testing.ts';

const dayMs = 86_400_000;
const turns = { midnight: 0, nextStart: null, nextEnd: null };

/** A portal that lets its clock be moved, with the offsets that it was given. */
async function startPortal() {
  const offsets: number[] = [];
  const url = await startHook((raw, _headers, response) => {
    const { offsetMs } = z.object({ offsetMs: z.number().optional() }).parse(JSON.parse(raw));
    if (offsetMs !== undefined) offsets.push(offsetMs);
    response.end(JSON.stringify({ nowMs: 0, offsetMs: offsets.at(-1) ?? 0, turns }));
  });
  return { url, offsets };
}

test('both clocks go forward at once, but day by day where a mandate is in force', async () => {
  const { offsets, url } = await startPortal();
  const { api, control, createOrder } = await startForTest({ webhookUrl: url });
  await control('POST', '/product-clock', { advanceMs: 3 * dayMs });
  expect(offsets).toEqual([3 * dayMs]);
  const { id } = (await api('POST', '/customers', { email: 'asha@kaveri.example' })).body;
  const token = { max_amount: 500_000, frequency: 'as_presented' };
  const order = await createOrder(5000, { customer_id: id, method: 'upi', token });
  await control('POST', '/pay', { order_id: order.id, method: 'upi', customer_id: id });
  await control('POST', '/product-clock', { advanceMs: 2.5 * dayMs });
  expect(offsets.slice(1)).toEqual([4 * dayMs, 5 * dayMs, 5.5 * dayMs]);
  await control('POST', '/product-clock', { reset: true });
  expect(offsets.at(-1)).toBe(0);
});
