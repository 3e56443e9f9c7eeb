import type { ServerResponse } from 'node:http';
import type { GatewayCode } from '#domain/metering.ts';
import { closeInStages } from '#gateway/node/close-in-stages.ts';
import { fieldsOf } from './header-rules.ts';

/** What the gateway itself answers instead of the product: RFC 9457, with `message` for people and `code` for programs. */
export interface Refusal {
  status: number;
  code: GatewayCode;
  title: string;
  message: string;
  /** An IANA problem type, where there is one. */
  type?: string;
  /** Members beside the usual ones. */
  extensions?: Record<string, unknown>;
  headers?: string[];
}

/** What the first line and the fields of a request may have together. */
export const maxHeadBytes = 16 * 1024;

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
  'This is not an API key: it was mistyped or cut off.',
  challenge('not a key'),
);
/** An unknown and a revoked key are told alike, so that nobody learns which keys have existed. */
export const keyRefused = unauthorized(
  'key-invalid',
  'This API key does not exist or was revoked. Generate a new one in the portal.',
  challenge('unknown or revoked'),
);

export const keyExpired = (at: string): Refusal =>
  unauthorized(
    'key-expired',
    `This API key ended at ${at}, as it was set to. Use its successor, or generate a new one in the portal.`,
    challenge('expired'),
  );

export const addressNotAllowed = (address: string): Refusal => ({
  status: 403,
  code: 'address-not-allowed',
  title: 'Forbidden',
  message: `This API key may not be used from ${address}. Its list of allowed addresses is in the portal.`,
});

export const unknownPath: Refusal = {
  status: 404,
  code: 'path-unknown',
  title: 'Not Found',
  message: 'No API is served at this path. Paths look like /{api}/v1/…; the portal shows the address of each API.',
};

export const badPath: Refusal = {
  status: 400,
  code: 'path-invalid',
  title: 'Bad Request',
  message:
    'The path may not contain "." or ".." segments in any encoding or with parameters, and must be sent without scheme and host.',
};

export const badVersion: Refusal = {
  status: 400,
  code: 'version-unsupported',
  title: 'Bad Request',
  message: 'Send the request with HTTP/1.1.',
  headers: ['Connection', 'close'],
};

export const hostMissing: Refusal = {
  status: 400,
  code: 'host-missing',
  title: 'Bad Request',
  message: 'A request has a Host field.',
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
  message: 'This is no request as HTTP has them, or its body does not end where its head says.',
  headers: ['Connection', 'close'],
};

export const requestTooSlow: Refusal = {
  status: 408,
  code: 'request-too-slow',
  title: 'Request Timeout',
  message: 'The request did not arrive in time. Nothing was counted; send it again on a new connection.',
  headers: ['Connection', 'close'],
};

export const unknownExpectation: Refusal = {
  status: 417,
  code: 'expectation-unknown',
  title: 'Expectation Failed',
  message: 'The one value of Expect that is known here is 100-continue.',
};

export const requestHeadTooLarge: Refusal = {
  status: 431,
  code: 'head-too-large',
  title: 'Request Header Fields Too Large',
  message: `The first line and the fields of a request may have up to ${maxHeadBytes} bytes together.`,
  headers: ['Connection', 'close'],
};

export const otherApi = (served: string): Refusal => ({
  status: 403,
  code: 'key-of-other-api',
  title: 'Forbidden',
  message: `This API key belongs to another API, not to ${served}.`,
});

export const noSandbox = (served: string): Refusal => ({
  status: 403,
  code: 'no-sandbox',
  title: 'Forbidden',
  message: `${served} has no sandbox, so test keys cannot be used with it. Use a live key.`,
});

export const noUpgrade: Refusal = {
  status: 501,
  code: 'no-websocket',
  title: 'Not Implemented',
  message: 'WebSocket connections are not offered here. Send plain HTTP requests.',
};

export const methodUnsupported = (method: string): Refusal => ({
  status: 501,
  code: 'method-unsupported',
  title: 'Not Implemented',
  message: `The method ${method} is not passed on to APIs. Their references list the methods of each path.`,
});

export const transferCodingUnsupported: Refusal = {
  status: 400,
  code: 'coding-unsupported',
  title: 'Bad Request',
  message: 'The one Transfer-Encoding that is taken is chunked. Send a compressed body with Content-Encoding instead.',
  headers: ['Connection', 'close'],
};

export const bodyTooLarge = (limitBytes: number): Refusal => ({
  status: 413,
  code: 'body-too-large',
  title: 'Content Too Large',
  message: `The body of a request may have up to ${limitBytes} bytes.`,
  headers: ['Connection', 'close'],
});

export const quotaExceeded = (policies: readonly string[], message: string, retryAfterSeconds: number): Refusal => ({
  status: 429,
  code: 'quota-exceeded',
  title: 'Too Many Requests',
  type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
  message,
  extensions: { 'violated-policies': policies },
  headers: ['Retry-After', String(Math.max(1, retryAfterSeconds))],
});

export const paymentRequired = (message: string): Refusal => ({
  status: 402,
  code: 'no-running-plan',
  title: 'Payment Required',
  message,
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
  'The call could not be checked or counted just now, so it was not made. Try again in a moment.',
);
export const overloaded: Refusal = {
  ...temporary(
    503,
    'overloaded',
    'Service Unavailable',
    'Too many calls are under way, so this one was not made and not counted. Try again in a moment.',
  ),
  type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
};
export const upstreamFailed = temporary(
  502,
  'upstream-failed',
  'Bad Gateway',
  'The API did not answer properly. The call was not counted.',
);
export const upstreamTooSlow = temporary(
  504,
  'upstream-too-slow',
  'Gateway Timeout',
  'The API did not answer in time. The call was not counted.',
);

/** A refusal as it is sent: its fields as a flat list of names and values, and its body. */
export function problemOf(refusal: Refusal, requestId: string): { headers: string[]; body: string } {
  const body = JSON.stringify({
    type: refusal.type ?? 'about:blank',
    title: refusal.title,
    status: refusal.status,
    detail: refusal.message,
    message: refusal.message,
    code: refusal.code,
    requestId,
    ...refusal.extensions,
  });
  const length = String(Buffer.byteLength(body));
  const headers = ['Content-Type', 'application/problem+json', 'Content-Length', length, 'Cache-Control', 'no-store'];
  return { headers: [...headers, ...(refusal.headers ?? [])], body };
}

/** Sends a refusal. `lines`: more fields, as they are sent. */
export function sendRefusal(res: ServerResponse, refusal: Refusal, requestId: string, lines: string): void {
  const problem = problemOf(refusal, requestId);
  if (refusal.code === 'body-too-large') closeInStages(res);
  res.writeHead(refusal.status, [...problem.headers, ...fieldsOf(lines)]);
  res.end(problem.body);
}
