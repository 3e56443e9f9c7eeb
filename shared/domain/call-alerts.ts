/** Problems that a key alone can have; each key with one is named. */
const ofOneKey: ReadonlySet<string> = new Set([
  'key-invalid',
  'key-expired',
  'address-not-allowed',
  'key-of-other-api',
  'no-sandbox',
  'quota-exceeded/key',
]);
/** Problems that stop every further call, at least those with the keys of one member, so that the first one matters. */
const stopsAll: ReadonlySet<string> = new Set([
  'quota-exceeded/daily',
  'quota-exceeded/monthly',
  'quota-exceeded/member',
]);
const minShare = 0.01;
const minCalls = 5;

/** Calls with one problem on one day. */
export interface ProblemCount {
  /** As `problemName` writes it. */
  name: string;
  keyId: string;
  keyName: string;
  calls: number;
  lastAt: Date;
}

/** A problem to tell the customer of. `key`: the only cause. */
export interface CallAlert {
  code: string;
  rule: string | null;
  keyId: string | null;
  keyName: string | null;
  calls: number;
  lastAt: Date;
}

/**
 * The problems of a day that are worth an alert, the most frequent first: any that a key or plan causes, and others from 1 % of the
 * day's calls on. A product's own codes (of rejected input) are part of normal use and are none.
 */
export function alertsOf(counts: readonly ProblemCount[], calls: number, isGatewayProblem: (code: string) => boolean) {
  const groups = new Map<string, CallAlert>();
  for (const { name, keyId, keyName, calls: number, lastAt } of counts) {
    const [code = '', rule = null] = name.split('/', 2);
    if (!isGatewayProblem(code)) continue;
    const isOfKey = ofOneKey.has(name);
    const group = isOfKey ? `${name} ${keyId}` : name;
    const before = groups.get(group);
    groups.set(group, {
      code,
      rule,
      keyId: isOfKey ? keyId : null,
      keyName: isOfKey ? keyName : null,
      calls: (before?.calls ?? 0) + number,
      lastAt: before === undefined || lastAt > before.lastAt ? lastAt : before.lastAt,
    });
  }
  return [...groups.values()]
    .filter((alert) => isWorthAnAlert(alert, calls))
    .toSorted((a, b) => b.calls - a.calls || b.lastAt.getTime() - a.lastAt.getTime());
}

function isWorthAnAlert({ code, rule, keyId, calls }: CallAlert, allCalls: number): boolean {
  const name = rule === null ? code : `${code}/${rule}`;
  if (keyId !== null || code === 'no-running-plan' || stopsAll.has(name)) return true;
  return calls >= minCalls && calls >= allCalls * minShare;
}
