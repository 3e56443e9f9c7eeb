import { expect, test } from 'vitest';
import { deletionFacts } from '#web/features/usage/deletion-facts.ts';

const nothing = {
  runningPlan: null,
  unusedDays: 0,
  unusedAmount: 0,
  unpaidCycles: 0,
  upcomingCycles: 0,
  refundAmount: 0,
  transferAmount: 0,
  offsetAmount: 0,
  withheldAmount: 0,
  activeKeys: 0,
  renewal: null,
  renewsFrom: null,
  debitAmount: null,
};

test('an activation without anything says so', () => {
  expect(deletionFacts(nothing).map((fact) => fact.value)).toEqual(['No plan running', 'None']);
});

test('days and rupees that are lost and given back are both shown', () => {
  const facts = deletionFacts({
    runningPlan: 'Growth',
    unusedDays: 12,
    unusedAmount: 599.6,
    unpaidCycles: 1,
    upcomingCycles: 2,
    refundAmount: 2998,
    transferAmount: 1499,
    offsetAmount: 0,
    withheldAmount: 0,
    activeKeys: 3,
    renewal: 'ends',
    renewsFrom: null,
    debitAmount: 1499,
  });
  expect(facts.map((fact) => `${fact.label}: ${fact.value}`)).toEqual([
    'Running plan: Growth ends immediately',
    'Unused days lost: 12 days, worth ₹599.60',
    'Upcoming paid plans: 2 cancelled',
    'Refund: ₹2,998',
    'How it is paid: ₹1,499 can’t go back the way you paid. We transfer it to your bank account, and ask for the account by mail.',
    'Unpaid subscriptions: 1 removed',
    'Automatic renewal: ends',
    'Debit under way: ₹1,499: if your bank still makes it, you get all of it back',
    'Active API keys: 3 revoked, calls are refused at once',
  ]);
});
