/**
 * Which responses use quota. A response that the product gave to this call counts; failures on the provider's side are
 * free. Responses of the gateway itself, and responses that it cannot deliver, never count.
 */

/** A rule for a range of responses. The first rule with the status applies. */
export interface CountingRule {
  from: number;
  to: number;
  /** The rule applies only to responses that the product marks as replays for the same Idempotency-Key. */
  replayed?: true;
  counted: boolean;
  reason: string;
}

/** The header, set to `true`, with which a product marks a replay; in lower case. */
export const replayedHeader = 'octroi-replayed';
/** The header that accompanies it: the X-Request-Id of the call that first got the response; in lower case. */
export const replayOfHeader = 'octroi-replay-of';

/** The only table: the gateway counts by it and the documentation prints it. */
export const countingRules: readonly CountingRule[] = [
  { from: 200, to: 599, replayed: true, counted: false, reason: 'a replay for the same Idempotency-Key' },
  { from: 200, to: 399, counted: true, reason: 'the product responded' },
  // The gateway has already authenticated the caller: a product that returns 401 or 403 rejects its own gateway.
  { from: 401, to: 403, counted: false, reason: 'the product refused its own gateway' },
  { from: 407, to: 408, counted: false, reason: 'the product could not take the call' },
  { from: 413, to: 413, counted: false, reason: 'the body was too large' },
  { from: 421, to: 421, counted: false, reason: 'the product could not take the call' },
  { from: 425, to: 425, counted: false, reason: 'the product could not take the call' },
  { from: 429, to: 429, counted: false, reason: 'the product was too busy' },
  // "No such number" and "this invoice is wrong" are useful results and cost as much as any other response. If they
  // were free, a whole register could be probed without a quota.
  { from: 400, to: 499, counted: true, reason: "the product rejected the caller's input" },
  { from: 500, to: 599, counted: false, reason: 'the product failed' },
];

/**
 * Responses of the gateway itself, by the `code` of their problem body; none of them ever counts. Where a product uses
 * the same status (400 and 404), the code tells the two apart.
 */
export const gatewayAnswers = {
  'path-invalid': 400,
  'host-missing': 400,
  'header-repeated': 400,
  'coding-unsupported': 400,
  'request-malformed': 400,
  'key-missing': 401,
  'keys-differ': 401,
  'key-malformed': 401,
  'key-invalid': 401,
  'key-expired': 401,
  'no-running-plan': 402,
  'account-blocked': 403,
  'address-not-allowed': 403,
  'key-of-other-api': 403,
  'no-sandbox': 403,
  'operation-not-in-plan': 403,
  'path-unknown': 404,
  'wrong-method': 405,
  'request-too-slow': 408,
  'body-too-large': 413,
  'target-too-long': 414,
  'expectation-unknown': 417,
  'quota-exceeded': 429,
  'head-too-large': 431,
  'no-websocket': 501,
  'method-unsupported': 501,
  'upstream-failed': 502,
  'cannot-check': 503,
  'api-not-set-up': 503,
  overloaded: 503,
  'upstream-too-slow': 504,
  'version-unsupported': 505,
} as const;

/** A code of that table. */
export type GatewayCode = keyof typeof gatewayAnswers;

/** Its statuses, each once, in order. */
export const gatewayStatuses: readonly number[] = [...new Set<number>(Object.values(gatewayAnswers))].toSorted(
  (a, b) => a - b,
);

/** True for a code of the gateway with its own status. */
export function isGatewayCode(status: number, code: string): code is GatewayCode {
  return Object.entries(gatewayAnswers).some(([word, own]) => word === code && own === status);
}

/** How responses with a status affect the quota: they never count, always do, or do unless the gateway sent them. */
export function countingOf(status: number): 'never' | 'always' | 'unless-gateway' {
  if (!isCounted(status)) return 'never';
  return gatewayStatuses.includes(status) ? 'unless-gateway' : 'always';
}

/** Why a call of a key was counted or not, as one code in the request log; only the first two ever count. */
export const callOutcomes = {
  answered: 'the product responded',
  judged: "the product rejected the caller's input",
  free: 'the operation or its result is free',
  replayed: 'a replay for the same Idempotency-Key',
  failed: 'the product failed, or could not take the call',
  'broke-off': 'the response was cut off',
  'caller-left': 'the client disconnected before the response',
  refused: 'the gateway refused the call',
  test: 'a call of a test key',
} as const;

/** An outcome in the request log. */
export type CallOutcome = keyof typeof callOutcomes;

/** All of them. */
export const callOutcomeNames = [
  'answered',
  'judged',
  'free',
  'replayed',
  'failed',
  'broke-off',
  'caller-left',
  'refused',
  'test',
] as const satisfies readonly CallOutcome[];

/** The outcome for a response of the product. */
export function outcomeOf(status: number, replayed: boolean): CallOutcome {
  if (isCounted(status, replayed)) return status < 400 ? 'answered' : 'judged';
  return replayed ? 'replayed' : 'failed';
}

/** True when a response of the product with this HTTP status uses quota. An unknown status does not. */
export function isCounted(status: number, replayed = false): boolean {
  for (const rule of countingRules) {
    if (status >= rule.from && status <= rule.to && (replayed || rule.replayed !== true)) return rule.counted;
  }
  return false;
}

/**
 * The first digit of a status: 2 for 204. Usage is stored by it. A status that HTTP does not define (600 to 999) is the
 * product's fault: 5 (RFC 9110 §15).
 */
export function statusClass(status: number): number {
  return Math.min(5, Math.floor(status / 100));
}
