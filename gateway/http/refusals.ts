import { type GatewayCode, gatewayAnswers } from '#shared/domain/metering.ts';

/** A response of the gateway instead of the product's: an RFC 9457 problem with `message` for people and `code` for programs. */
export interface Refusal extends Details {
  code: GatewayCode;
  /** That of its code. */
  status: number;
  message: string;
}

interface Details {
  headers?: string[] | undefined;
  /** The rule that it broke and its numbers, for the request log. */
  facts?: Facts | undefined;
  /** An IANA problem type, where there is one. */
  type?: string | undefined;
  /** Additional members of the problem document. */
  extensions?: Record<string, unknown> | undefined;
}

type Facts = Readonly<Record<string, string | number>>;

function refusal(code: GatewayCode, message: string, { headers, facts, type, extensions }: Details = {}): Refusal {
  return { code, status: gatewayAnswers[code], message, headers, facts, type, extensions };
}

const closes = { headers: ['Connection', 'close'] };
const retryAfter = (seconds: number): string[] => ['Retry-After', String(Math.max(1, seconds))];
const soon = { headers: retryAfter(1) };
const challenge = (error?: string): string[] => [
  'WWW-Authenticate',
  error === undefined
    ? 'Bearer realm="API"'
    : `Bearer realm="API", error="invalid_token", error_description="${error}"`,
];
const problemTypes = 'https://iana.org/assignments/http-problem-types#';

// The request.

export const badPath = refusal(
  'path-invalid',
  'The path must begin with "/". It must not contain "." or ".." segments, in any encoding or with parameters, many encoded separators, or a "#".',
);
export const hostMissing = refusal(
  'host-missing',
  'The request has no Host header, or one that is not a host name with an optional port. Send one such header.',
  closes,
);
export const headerRepeated = (name: string): Refusal =>
  refusal('header-repeated', `The request has more than one ${name} header. Send it once.`, closes);
export const transferCodingUnsupported = refusal(
  'coding-unsupported',
  'The only supported Transfer-Encoding is chunked. To send a compressed body, use Content-Encoding.',
  closes,
);
export const requestMalformed = refusal(
  'request-malformed',
  'Malformed HTTP request, or the body does not match its Content-Length or chunked encoding.',
  closes,
);
export const unknownPath = refusal(
  'path-unknown',
  'There is no API at this path. Paths look like /{api}/v1/…; the portal shows the address of each API.',
);
/** `allowed`: the methods that the path supports. */
export const methodNotAllowed = (method: string, allowed: readonly string[]): Refusal =>
  refusal('wrong-method', `This path does not support ${method}. It supports ${allowed.join(' and ')}.`, {
    headers: ['Allow', allowed.join(', ')],
  });
export const requestTooSlow = refusal(
  'request-too-slow',
  'The request did not arrive in time and was not counted. Send it again on a new connection.',
  closes,
);
export const bodyTooLarge = (limitBytes: number): Refusal =>
  refusal('body-too-large', `The request body is larger than the limit of ${limitBytes} bytes.`, {
    ...closes,
    facts: { limit: limitBytes },
  });
export const targetTooLong = (limitBytes: number): Refusal =>
  refusal(
    'target-too-long',
    `The path and query are longer than ${limitBytes} bytes, the limit for the request line and headers in total.`,
    closes,
  );
export const requestHeadTooLarge = (limitBytes: number): Refusal =>
  refusal(
    'head-too-large',
    `The request line and headers are larger than ${limitBytes} bytes in total. Send fewer or shorter headers.`,
    closes,
  );
export const unknownExpectation = refusal(
  'expectation-unknown',
  'The only supported value of the Expect header is 100-continue.',
);
export const noUpgrade = refusal('no-websocket', 'WebSocket is not supported. Send plain HTTP requests.');
export const methodUnsupported = (method: string): Refusal =>
  refusal(
    'method-unsupported',
    `The method ${method} is not supported. See the API reference for the methods of each path.`,
  );
export const badVersion = refusal('version-unsupported', 'Send the request with HTTP/1.1.', closes);

// The key.

export const keyMissing = refusal(
  'key-missing',
  'Send your API key as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
  { headers: challenge() },
);
export const keysDiffer = refusal('keys-differ', 'Authorization and X-API-Key hold different keys. Send one of them.', {
  headers: challenge('two different keys'),
});
export const keyMalformed = refusal('key-malformed', 'This is not a valid API key. Check that you copied all of it.', {
  headers: challenge('not a key'),
});
/** The same for unknown and revoked keys, so that a caller cannot find out which keys have existed. */
export const keyRefused = refusal(
  'key-invalid',
  'This API key does not exist or was revoked. Generate a new one in the portal.',
  { headers: challenge('unknown or revoked') },
);
export const keyExpired = (at: string): Refusal =>
  refusal('key-expired', `This API key expired at ${at}. Use its successor, or generate a new key in the portal.`, {
    headers: challenge('expired'),
    facts: { at },
  });
export const accountBlocked = refusal(
  'account-blocked',
  'The account of this API key is blocked. Its owner can read why after signing in to the portal.',
);
export const addressNotAllowed = (address: string, allowed: string): Refusal =>
  refusal(
    'address-not-allowed',
    `This API key does not allow calls from ${address}. You can change its allowed addresses in the portal.`,
    { facts: { address, allowed } },
  );
export const otherApi = (served: string, keyProduct: string): Refusal =>
  refusal('key-of-other-api', `This API key is for a different API, not for ${served}.`, {
    facts: { called: served, product: keyProduct },
  });
export const noSandbox = (served: string): Refusal =>
  refusal('no-sandbox', `${served} has no sandbox, so test keys cannot be used with it. Use a live key.`);

// The plan.

export const paymentRequired = (message: string, facts: Facts): Refusal =>
  refusal('no-running-plan', message, { facts });
export const notInPlan = (plan: string, page: string): Refusal =>
  refusal(
    'operation-not-in-plan',
    `The plan ${plan} does not include this operation. The call was not counted. See the plans that do at ${page}.`,
    { facts: { plan } },
  );
export const quotaExceeded = (
  policies: readonly string[],
  message: string,
  retryAfterSeconds: number,
  facts: Facts = {},
): Refusal =>
  refusal('quota-exceeded', message, {
    headers: retryAfter(retryAfterSeconds),
    facts,
    type: `${problemTypes}quota-exceeded`,
    extensions: { 'violated-policies': policies },
  });

// The gateway and the API.

export const cannotCheck = refusal(
  'cannot-check',
  'The gateway could not check or count this call, so it did not reach the API. Try again in a moment.',
  soon,
);
/** The product's response is withheld, since it can't be counted. */
export const cannotCount = refusal(
  'cannot-check',
  'The call reached the API, but the gateway could not count it, so the response was not sent and the call was not counted. Try again in a moment, with the same Idempotency-Key if you sent one.',
  { ...soon, facts: { rule: 'response' } },
);
/** The gateway lacks a secret or a certificate of the API; only the provider's log and doctor say which. */
export const apiNotSetUp = refusal(
  'api-not-set-up',
  'The provider has not completely set up this API, so the call did not reach it and was not counted. Try again later.',
  { headers: retryAfter(10) },
);
const shedding = { ...soon, type: `${problemTypes}temporary-reduced-capacity` };
export const overloaded = refusal(
  'overloaded',
  'Too many calls are in progress, so this one did not reach the API and was not counted. Try again in a moment.',
  shedding,
);
/** Too many calls were queued when it arrived. */
export const overloadedOnArrival = refusal('overloaded', overloaded.message, {
  ...shedding,
  facts: { rule: 'arrival' },
});
export const upstreamFailed = refusal(
  'upstream-failed',
  'The API sent no valid response. The call was not counted.',
  soon,
);
export const responseHeadTooLarge = (limitBytes: number): Refusal =>
  refusal(
    'upstream-failed',
    `The headers of the API’s response are larger than ${limitBytes} bytes, the limit of this gateway. The call was not counted.`,
    { ...soon, facts: { limit: limitBytes } },
  );
export const upstreamTooSlow = refusal(
  'upstream-too-slow',
  'The API did not respond in time. The call was not counted.',
  soon,
);
