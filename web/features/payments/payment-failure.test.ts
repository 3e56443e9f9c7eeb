import { expect, test } from 'vitest';
import { type RefusalCode, refusals } from '#contract/refusals.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { paymentFailure } from '#web/features/payments/payment-failure.ts';

function refused(code: RefusalCode): Refused {
  return new Refused({ type: 'about:blank', code, ...refusals[code] });
}

test('a refused order shows the reason', () => {
  expect(paymentFailure(refused('payment_provider_unavailable'))).toEqual({
    title: 'Failed to create payment order',
    more: 'Failed to create payment order. Try again in a minute.',
  });
});

test('whatever else goes wrong before the checkout is a payment that was not initiated', () => {
  expect(paymentFailure(refused('internal'))?.title).toBe('Failed to initiate payment. Please try again.');
  expect(paymentFailure(new Unreachable('offline'))?.title).toBe('Failed to initiate payment. Please try again.');
  expect(paymentFailure(new Error('the checkout could not be loaded'))).toEqual({
    title: 'Failed to initiate payment. Please try again.',
  });
});

test('an expired session is reported only by the sign-in page', () => {
  expect(paymentFailure(refused('unauthorized'))).toBeUndefined();
});
