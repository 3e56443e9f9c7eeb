import { expect, test } from 'vitest';
import { categoryTitle, offerText, operationLines, quotaText } from '#web/features/cycles/plan-text.ts';

test('a plan is offered with its price and its days', () => {
  expect(offerText({ name: 'Growth', total: 1499, maxDays: 30 })).toBe('Growth, ₹1,499 for 30 days');
  expect(offerText({ name: 'Trial', total: 0, maxDays: 14 })).toBe('Trial, FREE for 14 days');
});

test('quotas read as a line, the longer cycle by its days', () => {
  const growth = { dailyQuota: 5000, monthlyQuota: 100_000, rps: 20, costs: [] };
  expect(quotaText(growth, 30)).toBe('5,000 requests per day, 1,00,000 per month, 20 requests per second');
  expect(quotaText({ ...growth, monthlyQuota: 300_000, rps: 1 }, 90)).toBe(
    '5,000 requests per day, 3,00,000 in 90 days, 1 request per second',
  );
});

test('a plan says which operations it includes and what they cost', () => {
  const costs = [
    { operation: 'Bulk', units: 10, statuses: null },
    { operation: 'Search', units: 1, statuses: ['2xx'] },
    { operation: 'Poll', units: 0, statuses: null },
  ];
  expect(operationLines({ costs, operations: ['Bulk', 'Search', 'Poll'] })).toEqual([
    'Only Bulk, Search, Poll',
    'Bulk: 10 units per call',
    'Search: 1 unit per call, only for 2xx',
    'Poll: free',
  ]);
  expect(operationLines({ costs: [], operations: null })).toEqual([]);
  expect(quotaText({ dailyQuota: 5000, monthlyQuota: 100_000, rps: 20, costs }, 30)).toMatch(/^5,000 units per day/);
});

test('a category is shown as its plans', () => {
  expect(categoryTitle([{ categoryName: 'Standard' }])).toBe('Standard Plans');
});
