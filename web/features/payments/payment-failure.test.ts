import { expect, test } from 'vitest';
import { type RefusalCode, refusals } from '#shared/contract/refusals.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { failureText, paymentFailure } from '#web/features/payments/payment-failure.ts';

function refused(code: RefusalCode): Refused {
  return new Refused({ type: 'about:blank', code, ...refusals[code] });
}

function textOf(error: unknown) {
  const failure = paymentFailure(error);
  return failure && failureText(failure, 'Growth');
}

test('a refused order shows the reason', () => {
  expect(textOf(refused('payment_provider_unavailable'))).toEqual({
    title: 'Failed to create payment order',
    more: 'Failed to create payment order. Try again in a minute.',
  });
});

test('whatever else goes wrong before the checkout is a payment that was not initiated', () => {
  expect(textOf(refused('internal'))?.title).toBe('Failed to initiate payment. Please try again.');
  expect(textOf(new Unreachable('offline'))?.title).toBe('Failed to initiate payment. Please try again.');
  expect(textOf(new Error('the checkout could not be loaded'))).toEqual({
    title: 'Failed to initiate payment. Please try again.',
  });
});

test('an expired session is reported only by the sign-in page', () => {
  expect(paymentFailure(refused('unauthorized'))).toBeUndefined();
});

test('a second payment says in one sentence what is refunded', () => {
  expect(failureText({ kind: 'paidTwice', reason: '₹1,499' }, 'Growth').more).toBe(
    'Growth was paid already, so the second payment of ₹1,499 is refunded in full.',
  );
});
