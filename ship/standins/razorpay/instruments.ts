import { badRequest } from '#ship/standins/razorpay/errors.ts';
import type { FailureReason } from '#ship/standins/razorpay/failures.ts';

/** The outcome of a payment; `pending` lasts until someone changes it or 10 minutes pass. */
export type Outcome = 'success' | 'pending' | 'late-authorisation' | FailureReason;

export type TestCard = { number: string; network: string; international: boolean; outcome: Outcome };

function card(number: string, network: string, outcome: Outcome, international = false): TestCard {
  return { number, network, international, outcome };
}

/** Razorpay's published test cards: any future expiry, any CVV. */
export const testCards: readonly TestCard[] = [
  card('4100 2800 0000 1007', 'Visa', 'success'),
  card('5500 6700 0000 1002', 'MasterCard', 'success'),
  card('6527 6589 0000 1005', 'RuPay', 'success'),
  card('3608 2800 0910 07', 'Diners Club', 'success'),
  card('3402 5600 0401 007', 'American Express', 'success'),
  card('4012 8888 8888 1881', 'Visa', 'success', true),
  card('5555 5555 5555 4444', 'MasterCard', 'success', true),
  card('4100 2800 0009 0000', 'Visa', 'payment_timed_out'),
  card('4100 2800 0008 0001', 'Visa', 'insufficient_fund'),
  card('4100 2800 0007 0002', 'Visa', 'payment_cancelled'),
  card('4100 2800 0006 0003', 'Visa', 'card_declined'),
  card('4100 2800 0005 0004', 'Visa', 'card_declined'),
  card('4100 2800 0004 0005', 'Visa', 'card_declined'),
  card('4100 2800 0003 0006', 'Visa', 'card_disabled_for_online_payments'),
  card('4100 2800 0001 0008', 'Visa', 'card_number_invalid'),
  card('4100 2800 0002 0007', 'Visa', 'gateway_technical_error'),
  card('4100 2800 0000 0009', 'Visa', 'authentication_failed'),
];

/** For a checkout that still offers to enter a UPI ID. */
export const testVpas: readonly { vpa: string; outcome: Outcome }[] = [
  { vpa: 'success@razorpay', outcome: 'success' },
  { vpa: 'failure@razorpay', outcome: 'payment_failed' },
];

export const testBanks: readonly { code: string; name: string }[] = [
  { code: 'HDFC', name: 'HDFC Bank' },
  { code: 'ICIC', name: 'ICICI Bank' },
  { code: 'SBIN', name: 'State Bank of India' },
  { code: 'UTIB', name: 'Axis Bank' },
  { code: 'KKBK', name: 'Kotak Mahindra Bank' },
  { code: 'PUNB_R', name: 'Punjab National Bank' },
];

/** Throws for any card that is not on the list: nobody must enter a real number here. */
export function findTestCard(number: string): TestCard {
  const digits = number.replace(/\D/g, '');
  const found = testCards.find((candidate) => candidate.number.replaceAll(' ', '') === digits);
  if (!found) throw badRequest('Only test cards work in test mode. Use 4100 2800 0000 1007.', 'card[number]');
  return found;
}

/** A well-formed UPI ID that no bank knows is `invalid_vpa`. */
export function vpaOutcome(vpa: string): Outcome {
  if (!/^[\w.-]{2,256}@[a-zA-Z]{2,64}$/.test(vpa)) throw badRequest('Enter a valid UPI ID.', 'vpa');
  return testVpas.find((candidate) => candidate.vpa === vpa.toLowerCase())?.outcome ?? 'invalid_vpa';
}
