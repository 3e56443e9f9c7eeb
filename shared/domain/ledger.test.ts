import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChainedEntry,
  entryOfCapture,
  entryOfDisputeHeld,
  entryOfDisputeLoss,
  entryOfDisputeReleased,
  entryOfRefundDue,
  entryOfRefundPaid,
  genesisHash,
  hashOfEntry,
  sumOfLines,
  textOfEntry,
} from '#shared/domain/ledger.ts';

const about = { paymentId: 'pay_1', cycleId: 'CYC-1', customerId: 'CUS-1', currency: 'INR' };
const amount = fc.integer({ min: 1, max: 1_000_000_000 });

test('every entry sums to zero, and a cycle that is paid, cancelled and refunded leaves a balance of zero', () => {
  fc.assert(
    fc.property(amount, (paise) => {
      const entries = [
        entryOfCapture(about, { use: 'CYCLE', paise }),
        entryOfRefundDue(about, 'RFD-1', paise),
        entryOfRefundPaid(about, 'RFD-1', paise, 'PROVIDER'),
      ];
      const balances = new Map<string, number>();
      for (const { lines } of entries) {
        expect(sumOfLines(lines)).toBe(0);
        for (const { account, amountPaise } of lines) balances.set(account, (balances.get(account) ?? 0) + amountPaise);
      }
      expect([...balances.values()]).toEqual([0, 0, 0]);
    }),
  );
});

test('a refund by transfer comes from the bank account: the payment stays with the provider', () => {
  expect(entryOfRefundPaid(about, 'RFD-1', 149_900, 'TRANSFER')).toMatchObject({
    id: 'paid:RFD-1',
    kind: 'REFUND_PAID',
    lines: [
      { account: 'bank', amountPaise: -149_900 },
      { account: 'refunds', amountPaise: 149_900 },
    ],
  });
});

test('a dispute that is held and released leaves no balance, and its loss is the provider’s gain', () => {
  fc.assert(
    fc.property(amount, (paise) => {
      const entries = [
        entryOfDisputeHeld(about, 'disp_1', paise),
        entryOfDisputeReleased(about, 'disp_1', paise),
        entryOfDisputeLoss(about, 'disp_1', paise),
      ];
      expect(entries.map(({ lines }) => sumOfLines(lines))).toEqual([0, 0, 0]);
      const balance = (account: string) =>
        entries
          .flatMap(({ lines }) => lines)
          .filter((line) => line.account === account)
          .reduce((sum, line) => sum + line.amountPaise, 0);
      expect([balance('disputed'), balance('provider'), balance('losses')]).toEqual([0, -paise, paise]);
    }),
  );
});

test('money captured without a cycle is due for refund at once', () => {
  expect(entryOfCapture(about, { use: 'REFUND', paise: 149_900 }).lines).toEqual([
    { account: 'refunds', amountPaise: -149_900 },
    { account: 'provider', amountPaise: 149_900 },
  ]);
});

const entry: ChainedEntry = {
  ...entryOfCapture(about, { use: 'CYCLE', paise: 149_900 }),
  position: 1,
  atMs: 1_790_000_000_000,
};

test('an entry is hashed as one line of text, its lines in the order of their accounts', () => {
  expect(textOfEntry(entry)).toBe(
    '1|capture:pay_1|CAPTURED_FOR_CYCLE|pay_1|-|CYC-1|CUS-1|INR|1790000000000|cycles=-149900|provider=149900',
  );
  expect(hashOfEntry(genesisHash, entry).toString('hex')).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[string, Partial<ChainedEntry>]>([
  ['place', { position: 2 }],
  ['name', { id: 'capture:pay_2' }],
  ['kind', { kind: 'CAPTURED_FOR_REFUND' }],
  ['payment', { paymentId: 'pay_2' }],
  ['refund', { refundId: 'RFD-1' }],
  ['cycle', { cycleId: 'CYC-2' }],
  ['customer', { customerId: 'CUS-2' }],
  ['currency', { currency: 'USD' }],
  ['time', { atMs: 1_790_000_000_001 }],
  ['amount', { lines: entryOfCapture(about, { use: 'CYCLE', paise: 149_901 }).lines }],
])('a different %s gives a different hash', (_what, change) => {
  expect(hashOfEntry(genesisHash, { ...entry, ...change })).not.toEqual(hashOfEntry(genesisHash, entry));
});

test('the same entry after another one has a different hash', () => {
  expect(hashOfEntry(hashOfEntry(genesisHash, entry), entry)).not.toEqual(hashOfEntry(genesisHash, entry));
});
