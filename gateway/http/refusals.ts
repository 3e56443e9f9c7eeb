import type { GatewayCode } from '#shared/domain/metering.ts';

/** A response of the gateway instead of the product's: an RFC 9457 problem with `message` for people and `code` for programs. */
export interface Refusal {
  status: number;
  code: GatewayCode;
  title: string;
  message: string;
  /** An IANA problem type, where there is one. */
  type?: string;
  /** Additional members of the problem document. */
  extensions?: Record<string, unknown>;
  headers?: string[];
  /** The rule that it broke and its numbers, for the request log. */
  facts?: Readonly<Record<string, string | number>>;
}

const challenge = (error?: string): string[] => [
  'WWW-Authenticate',
  error === undefined
    ? 'Bearer realm="API"'
    : `Bearer realm="API", error="invalid_token", error_description="${error}"`,
];

const unauthorized = (code: GatewayCode, message: string, headers: string[]): Refusal => ({
  status: 401,
  code,
  title: 'Unauthorized',
  message,
  headers,
});

export const keyMissing = unauthorized(
  'key-missing',
  'Send your API key as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
  challenge(),
);
export const keysDiffer = unauthorized(
  'keys-differ',
  'Authorization and X-API-Key hold different keys. Send one of them.',
  challenge('two different keys'),
);
export const keyMalformed = unauthorized(
  'key-malformed',
  'This is not a valid API key. Check that you copied all of it.',
  challenge('not a key'),
);
/** The same for unknown and revoked keys, so that a caller cannot find out which keys have existed. */
export const keyRefused = unauthorized(
  'key-invalid',
  'This API key does not exist or was revoked. Generate a new one in the portal.',
  challenge('unknown or revoked'),
);

export const keyExpired = (at: string): Refusal => ({
  ...unauthorized(
    'key-expired',
    `This API key expired at ${at}. Use its successor, or generate a new key in the portal.`,
    challenge('expired'),
  ),
  facts: { at },
});

const forbidden = { status: 403, title: 'Forbidden' } as const;

export const accountBlocked: Refusal = {
  ...forbidden,
  code: 'account-blocked',
  message: 'The account of this API key is blocked. Its owner can read why after signing in to the portal.',
};

export const addressNotAllowed = (address: string, allowed: string): Refusal => ({
  ...forbidden,
  code: 'address-not-allowed',
  message: `This API key does not allow calls from ${address}. You can change its allowed addresses in the portal.`,
  facts: { address, allowed },
});

export const unknownPath: Refusal = {
  status: 404,
  code: 'path-unknown',
  title: 'Not Found',
  message: 'There is no API at this path. Paths look like /{api}/v1/…; the portal shows the address of each API.',
};

/** `allowed`: the methods that the path supports. */
export const methodNotAllowed = (method: string, allowed: readonly string[]): Refusal => ({
  status: 405,
  code: 'wrong-method',
  title: 'Method Not Allowed',
  message: `This path does not support ${method}. It supports ${allowed.join(' and ')}.`,
  headers: ['Allow', allowed.join(', ')],
});

export const badPath: Refusal = {
  status: 400,
  code: 'path-invalid',
  title: 'Bad Request',
  message:
    'The path must begin with "/". It must not contain "." or ".." segments, in any encoding or with parameters, many encoded separators, or a "#".',
};

export const badVersion: Refusal = {
  status: 505,
  code: 'version-unsupported',
  title: 'HTTP Version Not Supported',
  message: 'Send the request with HTTP/1.1.',
  headers: ['Connection', 'close'],
};

export const hostMissing: Refusal = {
  status: 400,
  code: 'host-missing',
  title: 'Bad Request',
  message:
    'The request has no Host header, or one that is not a host name with an optional port. Send one such header.',
  headers: ['Connection', 'close'],
};

export const headerRepeated = (name: string): Refusal => ({
  status: 400,
  code: 'header-repeated',
  title: 'Bad Request',
  message: `The request has more than one ${name} header. Send it once.`,
  headers: ['Connection', 'close'],
});

export const requestMalformed: Refusal = {
  status: 400,
  code: 'request-malformed',
  title: 'Bad Request',
  message: 'Malformed HTTP request, or the body does not match its Content-Length or chunked encoding.',
  headers: ['Connection', 'close'],
};

export const requestTooSlow: Refusal = {
  status: 408,
  code: 'request-too-slow',
  title: 'Request Timeout',
  message: 'The request did not arrive in time and was not counted. Send it again on a new connection.',
  headers: ['Connection', 'close'],
};

export const unknownExpectation: Refusal = {
  status: 417,
  code: 'expectation-unknown',
  title: 'Expectation Failed',
  message: 'The only supported value of the Expect header is 100-continue.',
};

export const requestHeadTooLarge = (limitBytes: number): Refusal => ({
  status: 431,
  code: 'head-too-large',
  title: 'Request Header Fields Too Large',
  message: `The request line and headers are larger than ${limitBytes} bytes in total. Send fewer or shorter headers.`,
  headers: ['Connection', 'close'],
});

export const targetTooLong = (limitBytes: number): Refusal => ({
  status: 414,
  code: 'target-too-long',
  title: 'URI Too Long',
  message: `The path and query are longer than ${limitBytes} bytes, the limit for the request line and headers in total.`,
  headers: ['Connection', 'close'],
});

export const otherApi = (served: string, keyProduct: string): Refusal => ({
  ...forbidden,
  code: 'key-of-other-api',
  message: `This API key is for a different API, not for ${served}.`,
  facts: { called: served, product: keyProduct },
});

export const noSandbox = (served: string): Refusal => ({
  ...forbidden,
  code: 'no-sandbox',
  message: `${served} has no sandbox, so test keys cannot be used with it. Use a live key.`,
});

export const notInPlan = (plan: string, page: string): Refusal => ({
  ...forbidden,
  code: 'operation-not-in-plan',
  message: `The plan ${plan} does not include this operation. The call was not counted. See the plans that do at ${page}.`,
  facts: { plan },
});

export const noUpgrade: Refusal = {
  status: 501,
  code: 'no-websocket',
  title: 'Not Implemented',
  message: 'WebSocket is not supported. Send plain HTTP requests.',
};

export const methodUnsupported = (method: string): Refusal => ({
  status: 501,
  code: 'method-unsupported',
  title: 'Not Implemented',
  message: `The method ${method} is not supported. See the API reference for the methods of each path.`,
});

export const transferCodingUnsupported: Refusal = {
  status: 400,
  code: 'coding-unsupported',
  title: 'Bad Request',
  message: 'The only supported Transfer-Encoding is chunked. To send a compressed body, use Content-Encoding.',
  headers: ['Connection', 'close'],
};

export const bodyTooLarge = (limitBytes: number): Refusal => ({
  status: 413,
  code: 'body-too-large',
  title: 'Content Too Large',
  message: `The request body is larger than the limit of ${limitBytes} bytes.`,
  headers: ['Connection', 'close'],
  facts: { limit: limitBytes },
});

export const quotaExceeded = (
  policies: readonly string[],
  message: string,
  retryAfterSeconds: number,
  facts: NonNullable<Refusal['facts']> = {},
): Refusal => ({
  status: 429,
  code: 'quota-exceeded',
  title: 'Too Many Requests',
  type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
  message,
  extensions: { 'violated-policies': policies },
  headers: ['Retry-After', String(Math.max(1, retryAfterSeconds))],
  facts,
});

export const paymentRequired = (message: string, facts: NonNullable<Refusal['facts']>): Refusal => ({
  status: 402,
  code: 'no-running-plan',
  title: 'Payment Required',
  message,
  facts,
});

const temporary = (status: number, code: GatewayCode, title: string, message: string): Refusal => ({
  status,
  code,
  title,
  message,
  headers: ['Retry-After', '1'],
});

export const cannotCheck = temporary(
  503,
  'cannot-check',
  'Service Unavailable',
  'The gateway could not check or count this call, so it did not reach the API. Try again in a moment.',
);
/** The product's response is withheld, since it can't be counted. */
export const cannotCount: Refusal = {
  ...temporary(
    503,
    'cannot-check',
    'Service Unavailable',
    'The call reached the API, but the gateway could not count it, so the response was not sent and the call was not counted. Try again in a moment, with the same Idempotency-Key if you sent one.',
  ),
  facts: { rule: 'response' },
};
export const overloaded: Refusal = {
  ...temporary(
    503,
    'overloaded',
    'Service Unavailable',
    'Too many calls are in progress, so this one did not reach the API and was not counted. Try again in a moment.',
  ),
  type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
};
/** Too many calls were queued when it arrived. */
export const overloadedOnArrival: Refusal = { ...overloaded, facts: { rule: 'arrival' } };
export const upstreamFailed = temporary(
  502,
  'upstream-failed',
  'Bad Gateway',
  'The API sent no valid response. The call was not counted.',
);
export const responseHeadTooLarge = (limitBytes: number): Refusal => ({
  ...upstreamFailed,
  message: `The headers of the API’s response are larger than ${limitBytes} bytes, the limit of this gateway. The call was not counted.`,
  facts: { limit: limitBytes },
});
export const upstreamTooSlow = temporary(
  504,
  'upstream-too-slow',
  'Gateway Timeout',
  'The API did not respond in time. The call was not counted.',
);
