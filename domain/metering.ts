/**
 * Which answers take one from a customer's quota. What counts is an answer that the product gave to this call; whatever went
 * wrong on the provider's side of it is free. Everything the gateway itself refuses or cannot deliver never counts.
 */

/** A rule for a range of answers. The first rule that names a status decides. */
export interface CountingRule {
  from: number;
  to: number;
  /** The rule holds only for answers that the product marks as given before, for the same Idempotency-Key. */
  replayed?: true;
  counted: boolean;
  reason: string;
}

/** The field, set to `true`, by which a product marks an answer that it has given before; in lower case. */
export const replayedHeader = 'octroi-replayed';
/** The field that goes with it: the X-Request-Id of the call that the response was first given to; in lower case. */
export const replayOfHeader = 'octroi-replay-of';

/** The one table; the gateway counts by it and the documentation prints it. */
export const countingRules: readonly CountingRule[] = [
  { from: 200, to: 599, replayed: true, counted: false, reason: 'the answer to the same Idempotency-Key, given again' },
  { from: 200, to: 399, counted: true, reason: 'the product answered' },
  // The caller has shown a valid key by then: a product that still refuses the sender is not set up for its gateway.
  { from: 401, to: 403, counted: false, reason: 'the product refused its own gateway' },
  { from: 407, to: 408, counted: false, reason: 'the product could not take the call' },
  { from: 413, to: 413, counted: false, reason: 'the body was too large to be taken' },
  { from: 421, to: 421, counted: false, reason: 'the product could not take the call' },
  { from: 425, to: 425, counted: false, reason: 'the product could not take the call' },
  { from: 429, to: 429, counted: false, reason: 'the product was too busy' },
  // "No such number" and "this invoice is wrong" are what a customer wants to learn, and cost as much as any other answer.
  // If they were free, a whole register could be probed without a quota.
  { from: 400, to: 499, counted: true, reason: "the product judged the caller's input" },
  { from: 500, to: 599, counted: false, reason: 'the product failed' },
];

/**
 * What the gateway itself answers, by the `code` of its problem; none of it ever counts. Where a product answers with the same
 * status (400 and 404), the code tells the two apart.
 */
export const gatewayAnswers = {
  'path-invalid': 400,
  'version-unsupported': 400,
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
  'address-not-allowed': 403,
  'key-of-other-api': 403,
  'no-sandbox': 403,
  'path-unknown': 404,
  'request-too-slow': 408,
  'body-too-large': 413,
  'expectation-unknown': 417,
  'quota-exceeded': 429,
  'head-too-large': 431,
  'no-websocket': 501,
  'method-unsupported': 501,
  'upstream-failed': 502,
  'cannot-check': 503,
  overloaded: 503,
  'upstream-too-slow': 504,
} as const;

/** A word of that table. */
export type GatewayCode = keyof typeof gatewayAnswers;

/** Its statuses, each once, in order. */
export const gatewayStatuses: readonly number[] = [...new Set<number>(Object.values(gatewayAnswers))].toSorted(
  (a, b) => a - b,
);

/** Is this the gateway's own word, given with its own status? */
export function isGatewayCode(status: number, code: string): code is GatewayCode {
  return Object.entries(gatewayAnswers).some(([word, own]) => word === code && own === status);
}

/** What answers with a status mean for the quota: they never count, they do, or they do unless the gateway gave them. */
export function countingOf(status: number): 'never' | 'always' | 'unless-gateway' {
  if (!isCounted(status)) return 'never';
  return gatewayStatuses.includes(status) ? 'unless-gateway' : 'always';
}

/** Why a call of a key was counted or not, in one word of the request log; the first two are all that ever counts. */
export const callOutcomes = {
  answered: 'the product answered',
  judged: "the product judged the caller's input",
  replayed: 'the answer to the same Idempotency-Key, given again',
  failed: 'the product failed, or could not take the call',
  'broke-off': 'the answer broke off',
  'caller-left': 'the caller left before the answer',
  refused: 'the gateway refused the call',
  test: 'a call of a test key',
} as const;

/** A word of the request log. */
export type CallOutcome = keyof typeof callOutcomes;

/** All of them. */
export const callOutcomeNames = [
  'answered',
  'judged',
  'replayed',
  'failed',
  'broke-off',
  'caller-left',
  'refused',
  'test',
] as const satisfies readonly CallOutcome[];

/** The word for an answer of the product. */
export function outcomeOf(status: number, replayed: boolean): CallOutcome {
  if (isCounted(status, replayed)) return status < 400 ? 'answered' : 'judged';
  return replayed ? 'replayed' : 'failed';
}

/** Does an answer of the product with this HTTP status take one from the quota? An unknown kind of status does not. */
export function isCounted(status: number, replayed = false): boolean {
  for (const rule of countingRules) {
    if (status >= rule.from && status <= rule.to && (replayed || rule.replayed !== true)) return rule.counted;
  }
  return false;
}

/** The first digit of a status: 2 for 204. Usage is kept by it. What HTTP does not know (600 to 999) is a fault of the product's: 5 (RFC 9110 §15). */
export function statusClass(status: number): number {
  return Math.min(5, Math.floor(status / 100));
}
