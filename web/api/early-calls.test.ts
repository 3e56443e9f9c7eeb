import { afterEach, expect, test } from 'vitest';
import { calls } from '#shared/contract/test-calls.ts';
import { takeEarlyCall } from '#web/api/early-calls.ts';
import { earlyPages } from '#web/early-pages.ts';

afterEach(() => {
  globalThis.earlyCalls = undefined;
});

function begin(): Promise<Response> {
  const answer = Promise.resolve(new Response('{}'));
  globalThis.earlyCalls = [{ address: '/backend/account', token: 'asha', startedAt: 1_000, answer }];
  return answer;
}

test('an early response is used once', () => {
  const answer = begin();
  expect(takeEarlyCall('/backend/marketplace', 'asha', 2_000)).toBeUndefined();
  expect(takeEarlyCall('/backend/account', 'asha', 2_000)).toBe(answer);
  expect(takeEarlyCall('/backend/account', 'asha', 2_000)).toBeUndefined();
});

test('a response for another session, or from long ago, is never used', () => {
  void begin();
  expect(takeEarlyCall('/backend/account', 'ravi', 2_000)).toBeUndefined();
  void begin();
  expect(takeEarlyCall('/backend/account', null, 2_000)).toBeUndefined();
  void begin();
  expect(takeEarlyCall('/backend/account', 'asha', 11_001)).toBeUndefined();
});

test('only calls of the contract that read are made early', () => {
  const reads = Object.values(calls).filter(({ method }) => method === 'GET');
  for (const path of earlyPages.flatMap((page): readonly string[] => page.calls)) {
    expect(reads.map((read) => read.path)).toContain(path);
  }
});
