/** The body of every error, under the key `error`. */
export type RazorpayError = {
  code: string;
  description: string;
  source?: string | null;
  step?: string | null;
  reason?: string | null;
  metadata?: Record<string, string>;
  field?: string;
};

export type Refusal = Error & { statusCode: number; razorpay: RazorpayError };

export function refusal(statusCode: number, razorpay: RazorpayError): Refusal {
  return Object.assign(new Error(razorpay.description), { statusCode, razorpay });
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'razorpay' in error;
}

/** A request that fails validation, with the texts of the API's documentation. */
export function badRequest(description: string, field?: string): Refusal {
  return refusal(400, {
    code: 'BAD_REQUEST_ERROR',
    description,
    source: 'business',
    step: 'payment_initiation',
    reason: 'input_validation_failed',
    metadata: {},
    ...(field === undefined ? {} : { field }),
  });
}

/** Of a normal refund; banks take none that late. The text and the nulls are those of Razorpay's page "Handle Refund Errors". */
export const tooOldToRefund = () =>
  refusal(400, {
    code: 'BAD_REQUEST_ERROR',
    description: 'Payment is more than 6 months old, only instant refund is supported',
    source: null,
    step: null,
    reason: null,
    metadata: {},
  });
/** Of a bank transfer that cannot go back; Razorpay documents the case, not its text. */
export const payerUnknown = () =>
  badRequest('Refund is not possible for this payment, as the bank account of the payer cannot be credited.');
export const unknownId = () => badRequest('The id provided does not exist');
export const unknownUrl = () => badRequest('The requested URL was not found on the server.');
export const authenticationFailed = () =>
  refusal(401, { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' });
/** Of what stands before the API: an allow-list, or a proxy of the caller. */
export const notAllowed = () => refusal(403, { code: 'BAD_REQUEST_ERROR', description: 'Access denied' });
export const tooManyRequests = () =>
  refusal(429, { code: 'BAD_REQUEST_ERROR', description: 'Request failed. Please try after sometime.' });
export const serverError = (statusCode: 500 | 502 | 504 = 500) =>
  refusal(statusCode, {
    code: 'SERVER_ERROR',
    description: 'We are facing some trouble completing your request at the moment. Please try again shortly.',
    source: 'internal',
    step: 'payment_initiation',
    reason: 'server_error',
    metadata: {},
  });
export const conflict = (description: string) =>
  refusal(409, { code: 'BAD_REQUEST_ERROR', description, source: 'NA', step: 'NA', reason: 'NA', metadata: {} });
