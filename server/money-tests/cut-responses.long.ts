import { afterAll, beforeAll, expect, test } from 'vitest';
import { responseBytes, calls, type Cutting, startCutting } from './cut-responses.ts';

let cutting: Cutting;
beforeAll(async () => {
  cutting = await startCutting();
});
afterAll(() => cutting.close());

test.each(Object.keys(calls))(
  '%s: with the response cut off at any byte, the result shown is correct and a retry completes it',
  async (call) => {
    const bytes = await responseBytes(cutting, call);
    for (let cutAfter = 0; cutAfter <= bytes; cutAfter += 1) await calls[call]?.(cutting, { cutAfter });
    expect(await cutting.money.faults()).toEqual([]);
  },
);
