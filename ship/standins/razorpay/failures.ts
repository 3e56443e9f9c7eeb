import { z } from 'zod';
import type { RazorpayError } from '#ship/standins/razorpay/errors.ts';

export const failureReasonSchema = z.enum([
  'payment_failed',
  'payment_timed_out',
  'payment_cancelled',
  'insufficient_fund',
  'card_declined',
  'card_disabled_for_online_payments',
  'card_number_invalid',
  'authentication_failed',
  'gateway_technical_error',
  'invalid_vpa',
]);
export type FailureReason = z.infer<typeof failureReasonSchema>;

type Failure = { code: string; description: string; source: string; step: string };

function customer(description: string, step = 'payment_authentication'): Failure {
  return { code: 'BAD_REQUEST_ERROR', description, source: 'customer', step };
}

const failures: Record<FailureReason, Failure> = {
  payment_failed: {
    code: 'BAD_REQUEST_ERROR',
    description:
      'Payment was unsuccessful due to a temporary issue. If amount got deducted, it will be refunded within 5-7 working days.',
    source: 'gateway',
    step: 'payment_response',
  },
  payment_timed_out: customer('Payment was not completed on time. Try again or use another payment method.'),
  payment_cancelled: customer('You may have cancelled the payment or there was a delay in response from the bank.'),
  insufficient_fund: customer(
    'Payment was unsuccessful because the account did not have enough funds. Try again with another card or payment method.',
    'payment_authorization',
  ),
  card_declined: {
    code: 'BAD_REQUEST_ERROR',
    description: "Your payment was declined by the card's bank. Try again with another card or payment method.",
    source: 'issuer_bank',
    step: 'payment_authorization',
  },
  card_disabled_for_online_payments: customer(
    'This card is not enabled for online payments. Enable it with your bank, or use another card or payment method.',
    'payment_authorization',
  ),
  card_number_invalid: customer('The card number is invalid. Check the number and try again.', 'payment_initiation'),
  authentication_failed: {
    code: 'GATEWAY_ERROR',
    description: 'Payment was unsuccessful because the bank could not verify you. Try again with the correct OTP.',
    source: 'customer',
    step: 'payment_authentication',
  },
  gateway_technical_error: {
    code: 'GATEWAY_ERROR',
    description: 'Payment was unsuccessful because of a technical problem at the bank. Try again after some time.',
    source: 'gateway',
    step: 'payment_authorization',
  },
  invalid_vpa: customer(
    'The UPI ID is not known to any bank. Check it, or use another payment method.',
    'payment_initiation',
  ),
};

/** The error object of a failed payment, as checkout and the API return it. */
export function failureError(reason: FailureReason, orderId: string, paymentId: string): RazorpayError {
  return { ...failures[reason], reason, metadata: { payment_id: paymentId, order_id: orderId } };
}
