import { expect, test } from 'vitest';
import { categoryTitle, quotaText } from '#web/features/cycles/plan-text.ts';

test('quotas read as a line, the longer cycle by its days', () => {
  const growth = { dailyQuota: 5000, monthlyQuota: 100_000, rps: 20 };
  expect(quotaText(growth, 30)).toBe('5,000 requests per day, 1,00,000 per month, 20 requests per second');
  expect(quotaText({ ...growth, monthlyQuota: 300_000, rps: 1 }, 90)).toBe(
    '5,000 requests per day, 3,00,000 in 90 days, 1 request per second',
  );
});

test('a category is shown as its plans', () => {
  expect(categoryTitle('standard')).toBe('Standard Plans');
  expect(categoryTitle('Volume')).toBe('Volume Plans');
});
