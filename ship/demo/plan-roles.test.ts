import { expect, test } from 'vitest';
import type { Plan, Product } from '#shared/contract/marketplace.ts';
import { rolesOf } from './plan-roles.ts';

const plan = (id: string, price: number, maxDays = 30, tenure: Plan['tenure'] = 'MONTHLY'): Plan => ({
  id,
  name: id,
  description: '',
  price,
  total: price,
  taxableValue: price,
  gst: 0,
  tenure,
  maxDays,
  priceMonthly: price,
  monthlyQuota: 1000,
  dailyQuota: 100,
  rps: 5,
  category: 'all',
  categoryName: 'All',
  benefits: [],
  operations: null,
  costs: [],
});

const product = (id: string, plans: Plan[], activateNow: Product['activateNow'] = null): Product => ({
  id,
  aliases: [],
  name: id,
  tagline: '',
  description: '',
  longDescription: '',
  features: [],
  useCases: [],
  faq: [],
  mark: null,
  picture: null,
  claims: { support: null, uptime: null },
  sample: { request: '', answer: '' },
  operations: {},
  tags: {},
  changelog: [],
  deprecations: [],
  baseUrl: '',
  documentationUrl: '',
  plans,
  activateNow,
});

test('each product that is sold by the month plays the parts with its own plans, by price', () => {
  const trial = plan('try', 0, 14, 'TRIAL');
  const first = product(
    'maps',
    [plan('pro', 900), plan('year', 4000, 365), trial, plan('team', 90), plan('none', 0), plan('basic', 10, 28)],
    { planId: 'try', name: 'Try', maxDays: 14 },
  );
  expect(rolesOf([first, product('facts', [plan('only', 5)])])).toEqual([
    {
      productId: 'maps',
      startsFree: true,
      small: 'basic',
      medium: 'team',
      large: 'pro',
      long: 'year',
      free: 'none',
    },
    {
      productId: 'facts',
      startsFree: false,
      small: 'only',
      medium: 'only',
      large: 'only',
      long: 'only',
      free: undefined,
    },
  ]);
});

test('products that are free, or sold by the year alone, play no part', () => {
  expect(rolesOf([product('gift', [plan('none', 0)]), product('annual', [plan('year', 4000, 365)])])).toEqual([]);
});
