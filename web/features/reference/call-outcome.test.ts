import { expect, test } from 'vitest';
import { countingRules, gatewayAnswers, isCounted } from '#shared/domain/metering.ts';
import { outcomeOf } from '#web/features/reference/call-outcome.ts';
import { countingRows, countingText } from '#web/features/reference/counting-rows.ts';

const problemType: [string, string] = ['content-type', 'application/problem+json; charset=utf-8'];

test('a successful response counts and reports the remaining quota; a replay does not count', () => {
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['ratelimit-policy', '"second";q=2;w=1, "daily";q=100;w=86400, "monthly";q=1000;w=2592000'],
    ['ratelimit', '"second";r=1;t=1, "daily";r=97;t=30180, "monthly";r=997;t=90180'],
  ];
  expect(outcomeOf({ status: 200, headers, text: '{}' })).toMatchObject({
    counted: true,
    left: { daily: { remaining: 97, limit: 100 }, monthly: { remaining: 997, limit: 1000 } },
  });
  expect(outcomeOf({ status: 200, headers: [...headers, ['octroi-replayed', 'true']], text: '{}' }).counted).toBe(
    false,
  );
});

test('a call of a test key never counts', () => {
  const headers: [string, string][] = [['octroi-mode', 'test']];
  expect(outcomeOf({ status: 200, headers, text: '{}' })).toMatchObject({ counted: false, isTest: true });
});

test('an input error counts, with each error and its place; a refusal of the gateway does not', () => {
  const judged = JSON.stringify({
    message: '/on: Enter a day as yyyy-mm-dd.',
    errors: [{ in: 'query', pointer: '/on', message: 'Enter a day as yyyy-mm-dd.' }],
  });
  expect(outcomeOf({ status: 422, headers: [problemType], text: judged })).toMatchObject({
    counted: true,
    code: undefined,
    message: '/on: Enter a day as yyyy-mm-dd.',
    faults: [{ where: 'query /on', message: 'Enter a day as yyyy-mm-dd.' }],
  });
  const refused = JSON.stringify({ message: 'No plan is running.', code: 'no-running-plan' });
  expect(outcomeOf({ status: 402, headers: [problemType], text: refused })).toMatchObject({
    counted: false,
    code: 'no-running-plan',
  });
  // A government system's code is a number: the product has responded.
  const passedOn = JSON.stringify({ message: 'Duplicate IRN', code: '2150' });
  expect(outcomeOf({ status: 422, headers: [problemType], text: passedOn })).toMatchObject({
    counted: true,
    code: undefined,
  });
});

test('a refusal includes the time to retry, and unreadable bodies are handled', () => {
  const headers: [string, string][] = [problemType, ['retry-after', '7']];
  expect(outcomeOf({ status: 429, headers, text: '<html>' })).toMatchObject({
    counted: false,
    message: undefined,
    retryAfterSeconds: 7,
  });
});

test('the table that is shown has every rule of metering, and a range says when others come before it', () => {
  const rows = countingRows();
  expect(rows.map(({ counted }) => counted)).toEqual(countingRules.map(({ counted }) => counted));
  expect(rows.find(({ statuses }) => statuses.includes('499'))?.statuses).toBe('Others from 400 to 499');
  expect(rows.find(({ statuses }) => statuses.includes('399'))?.statuses).toBe('200 to 399');
});

test('the table of errors matches the metering rules for each status', () => {
  const own = new Set<number>(Object.values(gatewayAnswers));
  for (let status = 400; status <= 599; status += 1) {
    const counted = own.has(status) ? 'Yes, unless the gateway refused it' : 'Yes';
    expect(countingText(status), String(status)).toBe(isCounted(status) ? counted : 'No');
  }
  expect([400, 404, 413, 422].map(countingText)).toEqual([
    'Yes, unless the gateway refused it',
    'Yes, unless the gateway refused it',
    'No',
    'Yes',
  ]);
});
