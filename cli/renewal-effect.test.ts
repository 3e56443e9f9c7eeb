import { expect, test } from 'vitest';
import { noRenewalEffect } from '#shared/contract/renewal-effect.ts';
import { renewalLines } from './renewal-effect.ts';

test('a preview says what becomes of a renewal, and whether a debit at the bank pays or is refunded', () => {
  expect(renewalLines(noRenewalEffect)).toEqual([]);
  const moved = renewalLines({ renewal: 'moves', renewsFrom: '2027-01-27', debitAmount: 1499 }).join(' ');
  expect(moved).toContain('from 2027-01-27 on');
  expect(moved).toContain('₹1,499 for the next period already: that debit pays');
  const ended = renewalLines({ renewal: 'ends', renewsFrom: null, debitAmount: 1499 }).join(' ');
  expect(ended).toContain('if it still debits that, it is refunded');
});
