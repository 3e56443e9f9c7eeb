import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumOfLines } from './ledger.ts';
import { entryOfFailedSettlement, entryOfSettled } from './settled-entries.ts';
import { differencesOf, type Settlement, type SettlementFacts, type SettlementItem } from './settlement.ts';

const dayMs = 86_400_000;
const nowMs = 1_800_000_000_000;
const paise = fc.integer({ min: 100, max: 10_000_000 });

/** A settlement with the fees of Razorpay's price list: 2 % and 18 % GST on it. */
function itemOf(id: string, amountPaise: number, settlementId: string | null): SettlementItem {
  const charge = Math.round(amountPaise * 0.02);
  const taxPaise = Math.round(charge * 0.18);
  const feePaise = charge + taxPaise;
  return {
    entityId: id,
    settlementId,
    type: 'payment',
    debitPaise: 0,
    creditPaise: amountPaise - feePaise,
    amountPaise,
    feePaise,
    taxPaise,
    onHold: false,
    isReturned: false,
    isSettledAgain: false,
    paymentId: id,
    disputeId: null,
    atMs: nowMs,
  };
}

const refundOf = (id: string, paymentId: string, amountPaise: number, settlementId: string): SettlementItem => ({
  ...itemOf(id, amountPaise, settlementId),
  type: 'refund',
  debitPaise: amountPaise,
  creditPaise: 0,
  feePaise: 0,
  taxPaise: 0,
  paymentId,
});

const sumOf = (items: readonly SettlementItem[]) =>
  items.reduce((sum, item) => sum + item.creditPaise - item.debitPaise, 0);
const settlementOf = (id: string, items: readonly SettlementItem[]): Settlement => ({
  id,
  amountPaise: sumOf(items.filter(({ settlementId }) => settlementId === id)),
  status: 'processed',
  createdAtMs: nowMs,
});

/** Payments with a refund each, all of them settled correctly, in two settlements. */
function consistent(amounts: readonly number[]): SettlementFacts {
  const items = amounts.flatMap((amount, index) => {
    const settlementId = `setl_${index % 2}`;
    const refunded = Math.floor(amount / 2);
    return [
      itemOf(`pay_${index}`, amount, settlementId),
      refundOf(`rfnd_${index}`, `pay_${index}`, refunded, settlementId),
    ];
  });
  const capturedAtMs = nowMs - 30 * dayMs;
  return {
    payments: amounts.map((amountPaise, index) => {
      const { feePaise, taxPaise } = itemOf('', amountPaise, null);
      return { id: `pay_${index}`, amountPaise, feePaise, taxPaise, capturedAtMs };
    }),
    refunds: amounts.map((amount, index) => ({
      id: `rfnd_${index}`,
      amountPaise: Math.floor(amount / 2),
      paidAtMs: capturedAtMs,
    })),
    disputes: [],
    settlements: ['setl_0', 'setl_1'].map((id) => settlementOf(id, items)),
    items,
    knownIds: new Set(),
    nowMs,
    lastSettlementMs: nowMs,
    graceMs: 7 * dayMs,
  };
}

const amounts = fc.array(paise, { minLength: 1, maxLength: 8 });
const kindsOf = (facts: SettlementFacts) => differencesOf(facts).map(({ kind, id }) => `${kind} ${id}`);

/** Changes the item with this id. */
const changed = (facts: SettlementFacts, id: string, change: Partial<SettlementItem>): SettlementFacts => ({
  ...facts,
  items: facts.items.map((item) => (item.entityId === id ? { ...item, ...change } : item)),
});

test('settlements that pay out every payment less its fee, and every refund, differ in nothing', () => {
  fc.assert(
    fc.property(amounts, (list) => {
      expect(differencesOf(consistent(list))).toEqual([]);
    }),
  );
});

test('a single wrong paisa in any item or settlement is a difference', () => {
  const field = fc.constantFrom('debitPaise', 'creditPaise', 'feePaise', 'amountPaise', 'taxPaise');
  fc.assert(
    fc.property(amounts, fc.nat(), field, fc.constantFrom(-1, 1), (list, pick, name, by) => {
      const facts = consistent(list);
      const id = `pay_${pick % list.length}`;
      const item = facts.items.find(({ entityId }) => entityId === id);
      expect(differencesOf(changed(facts, id, { [name]: (item?.[name] ?? 0) + by }))).not.toEqual([]);
      const settlements = facts.settlements.map((each, index) =>
        index === pick % 2 ? { ...each, amountPaise: each.amountPaise + by } : each,
      );
      expect(kindsOf({ ...facts, settlements })).toEqual([`SUM_DIFFERS setl_${pick % 2}`]);
    }),
  );
});

test('a missing item is a difference of its payment or refund, and of its settlement', () => {
  fc.assert(
    fc.property(amounts, fc.nat(), fc.boolean(), (list, pick, isRefund) => {
      const facts = consistent(list);
      const index = pick % list.length;
      const id = `${isRefund ? 'rfnd' : 'pay'}_${index}`;
      const found = kindsOf({ ...facts, items: facts.items.filter(({ entityId }) => entityId !== id) });
      const kind = isRefund ? 'REFUND_NOT_DEBITED' : 'NOT_SETTLED';
      expect(found.toSorted()).toEqual([`${kind} ${id}`, `SUM_DIFFERS setl_${index % 2}`].toSorted());
    }),
  );
});

test('a payment may wait for its settlement for the days of grace, and one on hold is named as such', () => {
  const facts = consistent([100_000]);
  const waiting = (days: number, items: SettlementItem[] = []) =>
    kindsOf({
      ...facts,
      refunds: [],
      settlements: [],
      items,
      payments: facts.payments.map((payment) => ({ ...payment, capturedAtMs: nowMs - days * dayMs })),
    });
  expect(waiting(7)).toEqual([]);
  expect(waiting(7.1)).toEqual(['NOT_SETTLED pay_0']);
  expect(waiting(8, [{ ...itemOf('pay_0', 100_000, null), onHold: true }])).toEqual(['ON_HOLD pay_0']);
});

test('nothing is debited before a settlement is made, so a refund or dispute is late only after one', () => {
  const facts = consistent([100_000]);
  const dispute = { id: 'disp_1', deductedPaise: 800, endedAtMs: nowMs - 30 * dayMs };
  const found = (daysAfter: number) =>
    kindsOf({
      ...facts,
      payments: [],
      settlements: [],
      items: [],
      disputes: [dispute],
      lastSettlementMs: dispute.endedAtMs + daysAfter * dayMs,
    });
  expect(found(-1)).toEqual([]);
  expect(found(7)).toEqual([]);
  expect(found(7.1)).toEqual(['REFUND_NOT_DEBITED rfnd_0', 'DISPUTE_DIFFERS disp_1']);
});

test('a returned settlement is no difference once another has paid every item of it', () => {
  const facts = consistent([100_000]);
  const items = ['pay_8', 'pay_9'].map((id) => ({ ...itemOf(id, 5000, 'setl_9'), isReturned: true }));
  const failed = { ...settlementOf('setl_9', items), status: 'failed' as const };
  const found = (again: readonly boolean[], amountPaise = failed.amountPaise) =>
    kindsOf({
      ...facts,
      settlements: [{ ...failed, amountPaise }],
      items: [...facts.items, ...items.map((item, index) => ({ ...item, isSettledAgain: again[index] === true }))],
    });
  expect(found([true, false])).toEqual(['SETTLEMENT_FAILED setl_9']);
  expect(found([true, true], failed.amountPaise + 1)).toEqual(['SETTLEMENT_FAILED setl_9']);
  expect(found([true, true])).toEqual([]);
});

test('a payment in two settlements is settled twice, unless the bank returned one of them', () => {
  const facts = consistent([100_000]);
  const again = itemOf('pay_0', 100_000, 'setl_9');
  expect(kindsOf({ ...facts, items: [...facts.items, again] })).toEqual(['SETTLED_TWICE pay_0']);
  expect(kindsOf({ ...facts, items: [...facts.items, { ...again, isReturned: true }] })).toEqual([]);
  const failed = { id: 'setl_9', amountPaise: 5, status: 'failed' as const, createdAtMs: nowMs };
  expect(kindsOf({ ...facts, settlements: [...facts.settlements, failed] })).toEqual(['SETTLEMENT_FAILED setl_9']);
});

test('items of unknown payments, refunds and adjustments are differences; known ones are not', () => {
  const facts = consistent([100_000]);
  const adjustment = { ...refundOf('adj_1', '', 700, 'setl_9'), type: 'adjustment', paymentId: null };
  const unknown = [itemOf('pay_x', 5000, 'setl_9'), refundOf('rfnd_x', 'pay_0', 100, 'setl_9'), adjustment];
  const found = kindsOf({ ...facts, items: [...facts.items, ...unknown] });
  expect(found).toEqual(['UNKNOWN_PAYMENT pay_x', 'UNKNOWN_REFUND rfnd_x', 'UNKNOWN_ADJUSTMENT adj_1']);
  const knownIds = new Set(['pay_x', 'rfnd_x', 'disp_1']);
  const explained = [unknown[0], unknown[1], { ...adjustment, disputeId: 'disp_1' }].flatMap((item) => item ?? []);
  expect(kindsOf({ ...facts, knownIds, items: [...facts.items, ...explained] })).toEqual([]);
});

test('a refund that a bank returned is debited and credited, and no difference', () => {
  const facts = consistent([100_000]);
  const attempt = refundOf('rfnd_old', 'pay_0', 900, 'setl_9');
  const credit = { ...attempt, entityId: 'adj_1', type: 'adjustment', debitPaise: 0, creditPaise: 900 };
  expect(kindsOf({ ...facts, items: [...facts.items, attempt, credit] })).toEqual([]);
  expect(kindsOf({ ...facts, items: [...facts.items, attempt] })).toEqual(['UNKNOWN_REFUND rfnd_old']);
});

test('a dispute is debited by what it took in the end: all of it when lost, nothing when won', () => {
  const facts = consistent([100_000]);
  const taken = { ...refundOf('adj_1', 'pay_0', 800, 'setl_9'), type: 'adjustment', disputeId: 'disp_1' };
  const given = { ...taken, entityId: 'adj_2', debitPaise: 0, creditPaise: 800 };
  const found = (deductedPaise: number, items: SettlementItem[], days = 8) =>
    kindsOf({
      ...facts,
      items: [...facts.items, ...items],
      disputes: [{ id: 'disp_1', deductedPaise, endedAtMs: nowMs - days * dayMs }],
    });
  expect(found(800, [taken])).toEqual([]);
  expect(found(0, [taken, given])).toEqual([]);
  expect(found(0, [])).toEqual([]);
  expect(found(800, [])).toEqual(['DISPUTE_DIFFERS disp_1']);
  expect(found(0, [taken])).toEqual(['DISPUTE_DIFFERS disp_1']);
  expect(found(0, [taken], 7)).toEqual([]);
});

test('the entry of every item sums to zero, puts its net amount in the bank, and a return undoes it', () => {
  const about = { paymentId: 'pay_1', cycleId: 'CYC-1', customerId: 'CUS-1', currency: 'INR' };
  fc.assert(
    fc.property(paise, fc.boolean(), fc.boolean(), (amount, isOurs, isRefund) => {
      const item = isRefund ? refundOf('rfnd_1', 'pay_1', amount, 'setl_1') : itemOf('pay_1', amount, 'setl_1');
      const settledItem = { ...item, settlementId: 'setl_1' };
      const entry = entryOfSettled(isOurs ? about : { currency: 'INR' }, settledItem);
      const lines = new Map(entry?.lines.map(({ account, amountPaise }) => [account, amountPaise]));
      expect(sumOfLines(entry?.lines ?? [])).toBe(0);
      expect(lines.get('bank')).toBe(item.creditPaise - item.debitPaise);
      expect((lines.get('fees') ?? 0) + (lines.get('input_tax') ?? 0)).toBe(item.feePaise);
      expect(lines.get(isOurs ? 'provider' : 'unmatched')).toBe(isRefund ? amount : -amount);
      const back = entryOfFailedSettlement(isOurs ? about : { currency: 'INR' }, settledItem);
      expect(back?.lines).toEqual(entry?.lines.map((line) => ({ ...line, amountPaise: -line.amountPaise })));
    }),
  );
  expect(entryOfSettled(about, { ...refundOf('adj', 'pay_1', 0, 's'), settlementId: 's' })).toBeUndefined();
});
