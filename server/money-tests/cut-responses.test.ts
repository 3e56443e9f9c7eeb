import { afterAll, beforeAll, expect, test } from 'vitest';
import { responseBytes, calls, type Cutting, startCutting } from './cut-responses.ts';

let cutting: Cutting;
beforeAll(async () => {
  cutting = await startCutting();
});
afterAll(() => cutting.close());

/** Cuts every 64 bytes here; `npm run test:long` cuts at every byte. */
const everyBytes = 64;

test.each(Object.keys(calls))(
  '%s: wherever the response is cut off, the result shown is correct and a retry completes it',
  async (call) => {
    const bytes = await responseBytes(cutting, call);
    expect(bytes).toBeGreaterThan(300);
    for (let cutAfter = 0; cutAfter < bytes; cutAfter += everyBytes) await calls[call]?.(cutting, { cutAfter });
    for (const cutAfter of [bytes - 2, bytes - 1, bytes]) await calls[call]?.(cutting, { cutAfter });
    expect(await cutting.money.faults()).toEqual([]);
  },
);

test.each(['create order', 'verify', 'refund all'])(
  '%s: when the provider never responds, the result shown is correct within ten seconds',
  async (call) => {
    await calls[call]?.(cutting, 'black hole');
    expect(await cutting.money.faults()).toEqual([]);
  },
);
