import type { LoggedRequest } from '#shared/contract/request-log.ts';
import { problemName } from '#shared/domain/call-problem.ts';
import type { Day } from '#shared/domain/day.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { problemTexts as texts } from '#web/features/request-log/problem-texts.ts';
import { requestTexts } from '#web/features/request-log/texts.ts';
import { dayText, instantText } from '#web/ui/localized-days.ts';

/** True when there is something to explain. */
export function hasFailed({ status, reason }: LoggedRequest): boolean {
  return status >= 400 || reason === 'broke-off';
}

/** The name of a problem for people; a product's own code stays as it is. */
export function problemTitle(code: string, rule: string | null): string {
  const titles = new Map(Object.entries(texts.titles));
  return (rule === null ? undefined : titles.get(`${code}/${rule}`)) ?? titles.get(code) ?? code;
}

/** Why the call ended as it did, in two or three words. */
export function outcomeTitle({ problem, reason }: LoggedRequest): string {
  if (problem === null) return requestTexts.why[reason];
  return problemTitle(problem.code, problem.facts['rule'] ?? null);
}

/** Why the call ended as it did: the rule and its numbers at that moment. */
export function outcomeText(request: LoggedRequest): string {
  const { problem, reason, status, keyName, latencyMs } = request;
  if (reason === 'broke-off') return texts.brokeOff;
  if (reason === 'caller-left' || status === 499) return texts.left;
  if (problem === null) {
    if (reason === 'refused') return texts.old;
    if (status >= 500) return texts.apiFailed(String(status));
    if (status >= 400) return texts.rejected(String(status));
    if (reason === 'free') return texts.free;
    return reason === 'replayed' ? texts.replayed : texts.fine;
  }
  const fact = (name: string) => problem.facts[name] ?? '?';
  const limit = () => formatNumber(Number(fact('limit')));
  const day = () => dayText(fact('day') satisfies Day);
  const sentences: Record<string, () => string> = {
    'key-invalid': () => texts.revoked(keyName),
    'account-blocked': () => texts.blocked,
    'key-expired': () => texts.expired(keyName, instantText(fact('at'))),
    'address-not-allowed': () => texts.address(fact('address'), fact('allowed')),
    'key-of-other-api': () => texts.otherApi(fact('called')),
    'no-sandbox': () => texts.noSandbox,
    'no-running-plan/overdue': () => texts.overdue(fact('plan')),
    'no-running-plan/unpaid': () => texts.unpaid(fact('plan')),
    'no-running-plan/upcoming': () => texts.upcoming(fact('plan'), day()),
    'no-running-plan/ended': () => texts.ended(fact('plan'), day()),
    'no-running-plan/none': () => texts.noPlan,
    'quota-exceeded/second': () => texts.second(fact('plan'), limit()),
    'operation-not-in-plan': () => texts.notInPlan(fact('plan')),
    'quota-exceeded/daily': () => texts.daily(fact('plan'), limit()),
    'quota-exceeded/monthly': () => texts.monthly(fact('plan'), limit(), day()),
    'quota-exceeded/key': () => texts.cap(limit()),
    'quota-exceeded/member': () => texts.memberLimit(limit()),
    'quota-exceeded/test': () => texts.test(limit()),
    'quota-exceeded/test-second': () => texts.testSecond(limit()),
    'body-too-large': () => texts.tooLarge(limit()),
    'upstream-failed': () => texts.upstreamFailed,
    'upstream-too-slow': () => texts.upstreamTooSlow(formatNumber(latencyMs)),
    'cannot-check': () => texts.cannotCheck,
    'cannot-check/response': () => texts.cannotCount,
    'api-not-set-up': () => texts.notSetUp,
    overloaded: () => texts.overloaded,
    'overloaded/arrival': () => texts.overloaded,
    'request-invalid': () => (problem.facts['field'] === undefined ? texts.invalid : texts.field(fact('field'))),
  };
  const needed = problem.facts['needed'];
  if (problem.code === 'quota-exceeded' && needed !== undefined) {
    return texts.units(formatNumber(Number(needed)), formatNumber(Number(fact('left'))), limit());
  }
  const sentence = sentences[problemName(problem)];
  if (sentence !== undefined) return sentence();
  return status >= 500 ? texts.apiFailed(String(status)) : texts.rejected(String(status));
}

/** Where the customer can remedy it. */
export function remedyOf({ problem }: LoggedRequest): 'keys' | 'plans' | undefined {
  if (problem === null) return undefined;
  const { code, facts } = problem;
  if (['key-invalid', 'key-expired', 'address-not-allowed', 'key-of-other-api'].includes(code)) return 'keys';
  if (code === 'quota-exceeded')
    return facts['rule'] === 'key' ? 'keys' : facts['rule']?.startsWith('test') ? undefined : 'plans';
  return code === 'no-running-plan' || code === 'operation-not-in-plan' ? 'plans' : undefined;
}
