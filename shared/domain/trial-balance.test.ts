import { expect, test } from 'vitest';
import type { BookVoucher } from '#shared/domain/book-voucher.ts';
import { isSameBalance, trialBalanceOf, trialBalanceOn } from '#shared/domain/trial-balance.ts';

function voucher(debitPaise: number, creditPaise = debitPaise): BookVoucher {
  const about = { id: 'one', kind: 'Journal' as const, on: '2026-11-01', number: '1', narration: '' };
  return {
    ...about,
    customerId: null,
    documentId: null,
    lines: [
      { account: 'bank', customerId: null, amountPaise: debitPaise },
      { account: 'revenue', customerId: null, amountPaise: -creditPaise },
    ],
  };
}

test('each balance is on its side, and both sides have the same total', () => {
  const { rows, debitPaise, creditPaise } = trialBalanceOf([voucher(700), voucher(-200)]);
  const filled = rows.filter((row) => row.debitPaise + row.creditPaise > 0);
  expect(filled).toMatchObject([
    { title: 'Bank', debitPaise: 500, creditPaise: 0 },
    { title: 'Subscription revenue', debitPaise: 0, creditPaise: 500 },
  ]);
  expect([debitPaise, creditPaise]).toEqual([500, 500]);
});

test('income and expenses begin each financial year with zero, and what came before is one amount', () => {
  const vouchers = [voucher(700), { ...voucher(200), on: '2027-04-01' }];
  const filled = (on: string) =>
    trialBalanceOn(vouchers, on)
      .rows.filter((row) => row.debitPaise + row.creditPaise > 0)
      .map(({ title, debitPaise, creditPaise }) => [title, debitPaise - creditPaise]);
  expect(filled('2027-04-01')).toEqual([
    ['Bank', 900],
    ['Profit and loss of earlier years', -700],
    ['Subscription revenue', -200],
  ]);
  expect(trialBalanceOn([voucher(700)], '2027-03-31')).toEqual(trialBalanceOf([voucher(700)]));
});

test('a voucher that does not balance is never shown as a trial balance', () => {
  expect(() => trialBalanceOf([voucher(700, 600)])).toThrow(/differ/);
});

test('a changed figure makes two trial balances differ; an account that was added since does not', () => {
  const balance = trialBalanceOf([voucher(700)]);
  expect(isSameBalance(balance, trialBalanceOf([voucher(701)]))).toBe(false);
  const shorter = { ...balance, rows: balance.rows.filter(({ account }) => account !== 'disputed') };
  expect(isSameBalance(shorter, balance)).toBe(true);
});
