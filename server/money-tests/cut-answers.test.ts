import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerBytes, calls, type Cutting, startCutting } from './cut-answers.ts';

let cutting: Cutting;
beforeAll(async () => {
  cutting = await startCutting();
});
afterAll(() => cutting.close());

/** Every so many bytes here; `npm run test:long` cuts at every one. */
const everyBytes = 32;

test.each(Object.keys(calls))('%s: wherever its answer is cut, the truth is told and put right', async (call) => {
  const bytes = await answerBytes(cutting, call);
  expect(bytes).toBeGreaterThan(300);
  for (let cutAfter = 0; cutAfter < bytes; cutAfter += everyBytes) await calls[call]?.(cutting, { cutAfter });
  for (const cutAfter of [bytes - 2, bytes - 1, bytes]) await calls[call]?.(cutting, { cutAfter });
  expect(await cutting.money.faults()).toEqual([]);
});

test.each(['make order', 'verify', 'refund all'])(
  '%s: in a black hole the truth is told within ten seconds',
  async (call) => {
    await calls[call]?.(cutting, 'black hole');
    expect(await cutting.money.faults()).toEqual([]);
  },
);
