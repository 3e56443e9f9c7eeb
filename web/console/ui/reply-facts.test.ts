import { expect, test } from 'vitest';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { labelOf, wordOf } from '#web/console/ui/labels.ts';
import { columnsOf, compareFacts, factsOf, sameFacts, shownOf } from '#web/console/ui/reply-facts.ts';

const { refundPayment, blockCustomer, createToken, readFigures, setQuota } = operatorCalls;

const refund = {
  paymentId: 'pay_1',
  customerId: 'CUST-1',
  amount: 1499,
  cycles: [
    {
      cycleId: 'CYC-1',
      planName: 'Growth',
      amount: 1499,
      left: 0,
      paper: 'CREDIT_NOTE',
      effect: 'ends',
      payout: 'PROVIDER',
      packs: [],
    },
  ],
  waitsForDispute: false,
  already: false,
  refundIds: [],
  effectiveBy: null,
};

test('a reply is told field by field: money, papers, yes and no, and of each plan its own', () => {
  const facts = factsOf(refundPayment.reply, refund);
  expect(facts.map(({ group, label, text }) => [group, label, text])).toEqual([
    [null, 'Payment', 'pay_1'],
    [null, 'Amount', '₹1,499'],
    ['Plans', 'Plan', 'CYC-1'],
    ['Plans', 'Name of the plan', 'Growth'],
    ['Plans', 'Amount', '₹1,499'],
    ['Plans', 'Left of its price', '₹0'],
    ['Plans', 'Document', 'Credit note'],
    ['Plans', 'Effect', 'ends'],
    ['Plans', 'Paid by', 'Razorpay'],
    ['Plans', 'Packs', 'None'],
    [null, 'Waits for dispute', 'No'],
    [null, 'Done before', 'No'],
    [null, 'Refund ids', 'None'],
  ]);
});

const withTax = (withheld: number) =>
  factsOf(refundPayment.reply, { ...refund, cycles: [{ ...refund.cycles[0], withheld }] });
const texts = (facts: ReturnType<typeof factsOf>) => shownOf(facts).map(({ label, text }) => `${label}: ${text}`);

test('a preview leaves out what is ₹0, no or none and mostly is, unless it was more before', () => {
  expect(texts(withTax(0)).join('; ')).not.toMatch(/Withheld|Packs|dispute|Done before|Refund ids/);
  expect(texts(withTax(0))).toContain('Left of its price: ₹0');
  expect(texts(withTax(127))).toContain('Withheld: ₹127');
  expect(texts(compareFacts(withTax(127), withTax(0)))).toContain('Withheld: ₹0');
});

test('an approval tells whom it is of, and what was asked for and would be done in the words of that call', () => {
  const input = { of: 'pay_1', amount: 1499 };
  const waiting = { id: 'APR-1', call: 'refundPayment', input, customer: 'Kaveri', amount: 1499, state: 'WAITING' };
  const facts = factsOf(operatorCalls.approve.reply, { ...waiting, result: refund });
  const texts = facts.map(({ group, label, text }) => `${group ?? '-'}, ${label}: ${text}`);
  expect(texts).toEqual(
    expect.arrayContaining([
      '-, Customer: Kaveri',
      'Input, Amount: ₹1,499',
      'Plans, Effect: ends',
      'Result, Payment: pay_1',
    ]),
  );
  const other = factsOf(operatorCalls.approve.reply, { ...waiting, result: { ...refund, amount: 999 } });
  expect(sameFacts(facts, other)).toBe(false);
});

test('what is null is left out, days are written out, and large numbers have their commas', () => {
  const quota = { cycleId: 'CYC-1', fromDate: '2026-11-21', units: 150_000, dailyBefore: null };
  const texts = factsOf(setQuota.reply, quota).map(({ label, text }) => `${label}: ${text}`);
  expect(texts).toEqual(['Plan: CYC-1', 'First day: 21 Nov 2026', 'Units: 1,50,000']);
});

test('what happened is compared with the preview, and what only the effect could know is no difference', () => {
  const previewed = factsOf(refundPayment.reply, refund);
  const done = factsOf(refundPayment.reply, { ...refund, amount: 999, refundIds: ['RFD-1'] });
  expect(compareFacts(previewed, done).filter(({ before }) => before !== null)).toMatchObject([
    { label: 'Amount', text: '₹999', before: '₹1,499' },
  ]);
  expect(compareFacts(previewed, done).find(({ path }) => path === 'refundIds')).toMatchObject({ text: 'RFD-1' });
});

test('a field that is gone afterwards is told as gone', () => {
  const blocked = { customerId: 'CUST-1', name: 'Asha', keysInUse: 2, blockedReason: 'Abuse' };
  const previewed = factsOf(blockCustomer.reply, blocked);
  const done = factsOf(blockCustomer.reply, { ...blocked, blockedReason: null });
  expect(compareFacts(previewed, done).at(-1)).toMatchObject({
    label: 'Blocked reason',
    text: 'None',
    before: 'Abuse',
  });
});

const token = (createdAt: string, name: string) =>
  factsOf(createToken.reply, { name, scopes: ['readPayment'], createdAt });

test('two previews are the same unless more than the moment of the call differs', () => {
  const previewed = factsOf(refundPayment.reply, refund);
  expect(
    sameFacts(previewed, factsOf(refundPayment.reply, { ...refund, effectiveBy: '2026-11-27T10:00:00.000Z' })),
  ).toBe(true);
  expect(sameFacts(previewed, factsOf(refundPayment.reply, { ...refund, amount: 999 }))).toBe(false);
  expect(sameFacts(previewed, factsOf(refundPayment.reply, { ...refund, cycles: [] }))).toBe(false);
  expect(sameFacts(token('2026-11-27T10:00:00.000Z', 'CRM'), token('2026-11-27T10:00:05.000Z', 'CRM'))).toBe(true);
  expect(sameFacts(token('2026-11-27T10:00:00.000Z', 'CRM'), token('2026-11-27T10:00:00.000Z', 'Sheet'))).toBe(false);
});

test('a column shows money and days as people write them, and its file has them as a spreadsheet reads them', () => {
  const days = [{ day: '2026-11-21', cash: 149_900, revenue: 0.5, calls: 150_000, activePaidPlans: 1 }];
  const columns = columnsOf(readFigures.reply.shape.days, days);
  const cells = columns.map(({ text, cell }) => [text?.(days[0]), cell?.(days[0])]);
  expect(cells).toContainEqual(['2026-11-21', '21 Nov 2026']);
  expect(cells).toContainEqual([149_900, '₹1,49,900']);
  expect(cells).toContainEqual([150_000, '1,50,000']);
});

test('every field of every action has a name that can be read', () => {
  const names = Object.values(operatorCalls).flatMap((call) =>
    'action' in call ? Object.keys(call.reply.shape).map(labelOf) : [],
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !/^[A-Z][A-Za-z0-9 ]+$/.test(name))).toEqual([]);
});

test('constants become words, and a name in capitals stays as it is', () => {
  expect(['CREDIT_NOTE', 'TRANSFER', 'FIRC', 'goes on'].map(wordOf)).toEqual([
    'Credit note',
    'Bank transfer',
    'FIRC',
    'goes on',
  ]);
  expect(factsOf(blockCustomer.reply, { name: 'KAVERI', email: 'a@b.in' })[0]).toMatchObject({ text: 'KAVERI' });
});
