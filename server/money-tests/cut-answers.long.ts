import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerBytes, calls, type Cutting, startCutting } from './cut-answers.ts';

let cutting: Cutting;
beforeAll(async () => {
  cutting = await startCutting();
});
afterAll(() => cutting.close());

test.each(Object.keys(calls))('%s: cut at every byte of its answer, the truth is told and put right', async (call) => {
  const bytes = await answerBytes(cutting, call);
  for (let cutAfter = 0; cutAfter <= bytes; cutAfter += 1) await calls[call]?.(cutting, { cutAfter });
  expect(await cutting.money.faults()).toEqual([]);
});
