import type { GatewayCode } from './metering.ts';

/** Why a call failed: the code of its problem, and the rule with its numbers when the call arrived. */
export interface CallProblem {
  /** A code of the gateway, or the product's own. */
  code: string;
  /** Such as `rule` and `limit`; what they mean depends on the code. */
  facts: Readonly<Record<string, string>>;
}

/** The response header with which a product states the problem of an error response; in lower case. */
export const problemHeader = 'octroi-problem';

/** Keeps an entry of the request log short, whatever a product or a plan is called. */
const maxLength = 240;
/** What the request log must never contain; its table rejects it too. */
const gstin = /[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}/i;
const written = /^[A-Za-z0-9_-]{1,40}(?:;[a-z]{1,12}=[\w.~%*'()!,:/-]*)*$/;

/** A problem as text without spaces: `quota-exceeded;rule=second;limit=10`. Facts that do not fit are left out. */
export function writeProblem(code: string, facts: Readonly<Record<string, string | number>> = {}): string {
  let text = code;
  for (const [name, value] of Object.entries(facts)) {
    const fact = `;${name}=${encodeURIComponent(String(value))}`;
    if (text.length + fact.length <= maxLength && !gstin.test(fact)) text += fact;
  }
  return text;
}

/** True for text that `writeProblem` can have written: a product's header may contain anything. */
export function isProblem(text: string): boolean {
  return text.length <= maxLength && written.test(text) && !gstin.test(text);
}

/** Reads what `writeProblem` wrote. */
export function readProblem(text: string): CallProblem {
  const [code = '', ...facts] = text.split(';');
  return { code, facts: Object.fromEntries(facts.map(readFact)) };
}

function readFact(fact: string): [string, string] {
  const equals = fact.indexOf('=');
  const value = fact.slice(equals + 1);
  try {
    return [fact.slice(0, equals), decodeURIComponent(value)];
  } catch {
    // A product's header with a stray percent sign.
    return [fact.slice(0, equals), value];
  }
}

/** Names a problem in counts: the code, and the rule where a code has several. */
export function problemName({ code, facts }: CallProblem): string {
  return facts['rule'] === undefined ? code : `${code}/${facts['rule']}`;
}

/** What the gateway checks of a call with a key, in this order. */
export const callChecks = [
  'key',
  'account',
  'expiry',
  'address',
  'room',
  'api',
  'sandbox',
  'plan',
  'operation',
  'rate',
  'quota',
  'queue',
  'body',
  'response',
] as const;
export type CallCheck = (typeof callChecks)[number];

const failedChecks: Partial<Record<GatewayCode, CallCheck>> = {
  'key-invalid': 'key',
  'account-blocked': 'account',
  'key-expired': 'expiry',
  'address-not-allowed': 'address',
  'key-of-other-api': 'api',
  'no-sandbox': 'sandbox',
  'no-running-plan': 'plan',
  'operation-not-in-plan': 'operation',
  'body-too-large': 'body',
};

/** Codes of calls that the gateway refused before an API had them. */
export const refusalCodes: readonly string[] = [
  ...Object.keys(failedChecks),
  'quota-exceeded',
  'cannot-check',
  'api-not-set-up',
  'overloaded',
];

/** The check at which a call with this problem ended. */
export function failedCheck({ code, facts }: CallProblem): CallCheck {
  if (code === 'quota-exceeded') return facts['rule']?.endsWith('second') === true ? 'rate' : 'quota';
  if (code === 'cannot-check') return facts['rule'] === 'response' ? 'response' : 'quota';
  if (code === 'overloaded') return facts['rule'] === 'arrival' ? 'room' : 'queue';
  return new Map<string, CallCheck>(Object.entries(failedChecks)).get(code) ?? 'response';
}

/** A check, and what became of it: it was passed, the call ended there, or it was not reached. */
export interface CheckResult {
  check: CallCheck;
  result: 'passed' | 'failed' | 'not-reached';
}

/** The checks of a call, up to the one where it ended. `problem`: null if the product responded without one. */
export function checksOf(isTest: boolean, problem: CallProblem | null, hasFailed: boolean): CheckResult[] {
  const checks = callChecks.filter((check) =>
    isTest ? check !== 'plan' && check !== 'operation' : check !== 'sandbox',
  );
  const failed = problem === null ? (hasFailed ? 'response' : undefined) : failedCheck(problem);
  const end = failed === undefined ? checks.length : checks.indexOf(failed);
  return checks.map((check, index) => ({
    check,
    result: index < end ? 'passed' : index === end ? 'failed' : 'not-reached',
  }));
}
