import { z } from 'zod';
import { type RazorpayError, refusal } from '#ship/standins/razorpay/errors.ts';

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
  // Of debits by mandate.
  'insufficient_funds',
  'debit_declined',
  'debit_instrument_blocked',
  'account_changed',
  'account_restricted',
  'beneficiary_account_not_found',
  'mandate_already_executed',
  'mandate_expired',
  'mandate_not_active',
  'incorrect_pin',
]);
export type FailureReason = z.infer<typeof failureReasonSchema>;

type Failure = { code: string; description: string; source: string; step: string };

function customer(description: string, step = 'payment_authentication'): Failure {
  return { code: 'BAD_REQUEST_ERROR', description, source: 'customer', step };
}

function business(description: string, step: string): Failure {
  return { code: 'BAD_REQUEST_ERROR', description, source: 'business', step };
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
  insufficient_funds: {
    code: 'GATEWAY_ERROR',
    description: 'Transaction failed due to insufficient funds.',
    source: 'customer',
    step: 'payment_debit_request',
  },
  debit_declined: {
    code: 'GATEWAY_ERROR',
    description: 'Payment was unsuccessful as it was declined by remitter bank.',
    source: 'issuer_bank',
    step: 'payment_debit_response',
  },
  debit_instrument_blocked: {
    code: 'GATEWAY_ERROR',
    description: 'Payment was unsuccessful as the account linked to this UPI ID is blocked. Try using another account.',
    source: 'issuer_bank',
    step: 'payment_debit_response',
  },
  account_changed: {
    code: 'GATEWAY_ERROR',
    description: 'Your account information has changed. Please set up the mandate again with your current account.',
    source: 'customer',
    step: 'payment_response',
  },
  account_restricted: {
    code: 'GATEWAY_ERROR',
    description: 'Payment failed because the account is restricted. Please use another account.',
    source: 'customer',
    step: 'payment_response',
  },
  beneficiary_account_not_found: business(
    'Payment failed as the beneficiary account was not found. Please use another account.',
    'payment_response',
  ),
  mandate_already_executed: business(
    'This payment has already been processed for the current cycle. No further executions are permitted.',
    'payment_debit_response',
  ),
  mandate_expired: business('This UPI Autopay has expired. Please set it up again.', 'payment_initiation'),
  mandate_not_active: customer('The registered mandate is no longer active.', 'payment_debit_request'),
  incorrect_pin: customer('You have entered an incorrect PIN on the UPI app. Please retry with the correct PIN.'),
};

/** The error object of a failed payment, as checkout and the API return it. */
export function failureError(reason: FailureReason, orderId: string | null, paymentId: string): RazorpayError {
  return { ...failures[reason], reason, metadata: { payment_id: paymentId, order_id: orderId ?? '' } };
}

/** The same for a request that is refused before there is a payment. */
export const refusedFor = (reason: FailureReason) => refusal(400, { ...failures[reason], reason, metadata: {} });
