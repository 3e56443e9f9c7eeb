import { expect, test } from 'vitest';
import { refundDoneText, refundFacts } from '#web/ui/refund-text.ts';

const linesOf = (refundAmount: number, transferAmount: number, withheldAmount = 0) =>
  refundFacts({ refundAmount, transferAmount, withheldAmount }).map(({ label, value }) => `${label}: ${value}`);

test('a refund says what of it is paid by bank transfer', () => {
  expect(linesOf(0, 0)).toEqual([]);
  expect(linesOf(1499, 0)).toEqual(['Refund: ₹1,499']);
  expect(linesOf(1499, 1499)).toEqual([
    'Refund: ₹1,499',
    'How it is paid: ₹1,499 can’t go back the way you paid. We transfer it to your bank account, and ask for the account by mail.',
  ]);
  expect(linesOf(1372, 0, 127)).toEqual([
    'Refund: ₹1,372',
    'Deducted as tax (TDS): ₹127 of the price never came to us, so it is not refunded.',
  ]);
});

test('a started refund says where it goes', () => {
  expect(refundDoneText({ refundAmount: 0, transferAmount: 0, withheldAmount: 0 })).toBeUndefined();
  expect(refundDoneText({ refundAmount: 1499, transferAmount: 0, withheldAmount: 0 })).toBe(
    '₹1,499 is refunded to the account it was paid from.',
  );
  expect(refundDoneText({ refundAmount: 1499, transferAmount: 49, withheldAmount: 0 })).toBe(
    '₹1,499 is refunded, ₹49 of it by bank transfer. We ask for your bank account by mail.',
  );
  expect(refundDoneText({ refundAmount: 1449.03, transferAmount: 77.03, offsetAmount: 1372, withheldAmount: 0 })).toBe(
    '₹1,372 less is due of your bill. ₹77.03 is refunded, ₹77.03 of it by bank transfer. We ask for your bank account by mail.',
  );
});
