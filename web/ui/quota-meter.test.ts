import { expect, test } from 'vitest';
import { quotaLevel, quotaName, quotaPercent, quotaShare, quotaWarning } from '#web/ui/quota-meter-level.ts';

test.each([
  [0, 'calm'],
  [2999, 'calm'],
  [3000, 'warn'],
  [3999, 'warn'],
  [4000, 'danger'],
  [5000, 'danger'],
])('%i of 5,000 is %s', (used, level) => {
  expect(quotaLevel(used, 5000)).toBe(level);
});

test('a threshold between two requests is reached by the later one', () => {
  expect(quotaLevel(4, 7)).toBe('calm');
  expect(quotaLevel(5, 7)).toBe('warn');
  expect(quotaLevel(6, 7)).toBe('danger');
});

test('the percentage never runs ahead of the level', () => {
  expect(quotaPercent(3999, 5000)).toBe(79.9);
  expect(quotaPercent(4136, 5000)).toBe(82.7);
  expect(quotaPercent(5001, 5000)).toBe(100);
});

test('a share is written with a decimal where it has one', () => {
  expect(quotaShare(4136, 5000)).toBe('82.7%');
  expect(quotaShare(3000, 5000)).toBe('60%');
});

test('without a quota nothing is used and nothing warned of', () => {
  expect(quotaPercent(0, 0)).toBe(0);
  expect(quotaLevel(0, 0)).toBe('calm');
  expect(quotaWarning('daily', 'calm')).toBeUndefined();
});

test('the warnings are the fixed texts', () => {
  expect(quotaWarning('daily', 'warn')).toBe('Your usage has exceeded 60% of your daily quota.');
  expect(quotaWarning({ days: 30 }, 'warn')).toBe('Your usage has exceeded 60% of your monthly quota.');
  expect(quotaWarning({ days: 30 }, 'danger')).toBe(
    "Your usage has exceeded 80%. If you don't recharge soon, your service may be interrupted.",
  );
});

test('only a quota of 28 to 31 days is called monthly', () => {
  expect([14, 27, 28, 31, 32, 365].map((days) => quotaName({ days }))).toEqual([
    '14-day quota',
    '27-day quota',
    'Monthly quota',
    'Monthly quota',
    '32-day quota',
    '365-day quota',
  ]);
  expect(quotaWarning({ days: 14 }, 'warn')).toBe('Your usage has exceeded 60% of your 14-day quota.');
});
