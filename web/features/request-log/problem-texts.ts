import type { CallCheck } from '#shared/domain/call-problem.ts';
import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/request-log/texts.hi.ts')).hindi;

/** Why calls fail, and what was checked of each. */
export const problemTexts = texts(
  (t) => ({
    /** In the list; the rule is part of the name where a code has several. */
    titles: {
      'key-invalid': t('Revoked key'),
      'account-blocked': t('Account blocked'),
      'key-expired': t('Expired key'),
      'address-not-allowed': t('Address not allowed'),
      'key-of-other-api': t('Key of another API'),
      'no-sandbox': t('No sandbox'),
      'no-running-plan/overdue': t('Bill overdue'),
      'no-running-plan/unpaid': t('Plan not paid'),
      'no-running-plan/upcoming': t('Plan not started'),
      'no-running-plan/ended': t('Plan ended'),
      'no-running-plan/none': t('No plan'),
      'operation-not-in-plan': t('Not in the plan'),
      'quota-exceeded/second': t('Too many calls per second'),
      'quota-exceeded/daily': t('Daily quota used up'),
      'quota-exceeded/monthly': t('Quota of the cycle used up'),
      'quota-exceeded/key': t('Daily cap of the key used up'),
      'quota-exceeded/member': t('Daily limit of the member used up'),
      'quota-exceeded/test': t('Test calls of the day used up'),
      'quota-exceeded/test-second': t('Too many test calls per second'),
      'body-too-large': t('Body too large'),
      'upstream-failed': t('No valid response from the API'),
      'upstream-too-slow': t('API too slow'),
      'cannot-check': t('Quota could not be checked'),
      'cannot-check/response': t('Call could not be counted'),
      'api-not-set-up': t('API not set up'),
      overloaded: t('Gateway busy'),
      'overloaded/arrival': t('Gateway busy'),
      'request-invalid': t('Invalid input'),
      'not-found': t('Not found'),
    },
    revoked: (key: string) => t('The key {key} had been revoked when this call arrived.', { key }),
    blocked: t('Your account was blocked when this call arrived. The reason is under Account.'),
    expired: (key: string, at: string) =>
      t('The key {key} expired on {at} IST, before this call arrived.', { key, at }),
    address: (address: string, allowed: string) =>
      t('The call came from {address}. The key allowed only {allowed} at that time.', { address, allowed }),
    otherApi: (called: string) => t('The key belongs to this activation, but the call went to {called}.', { called }),
    noSandbox: t('This API has no sandbox, so test keys can’t call it.'),
    overdue: (plan: string) =>
      t('The plan {plan} had stopped, because a bill was overdue. Calls work again once it is paid.', { plan }),
    unpaid: (plan: string) => t('The plan {plan} was not paid yet when this call arrived.', { plan }),
    upcoming: (plan: string, day: string) => t('The plan {plan} starts only on {day}, at 00:00 IST.', { plan, day }),
    ended: (plan: string, day: string) => t('The plan {plan} had ended on {day}, at 00:00 IST.', { plan, day }),
    noPlan: t('No plan was running when this call arrived.'),
    notInPlan: (plan: string) => t('The plan {plan} does not include this operation.', { plan }),
    units: (needed: string, left: string, limit: string) =>
      t('The call needed {needed} units, and {left} of {limit} were left.', { needed, left, limit }),
    free: t('The API responded. This operation, or this result of it, uses no quota.'),
    second: (plan: string, limit: string) =>
      t('The plan {plan} allowed {limit} calls per second, and that many had just arrived.', { plan, limit }),
    daily: (plan: string, limit: string) =>
      t('All {limit} calls of the plan {plan} for that day were used. The count starts again at 00:00 IST.', {
        plan,
        limit,
      }),
    monthly: (plan: string, limit: string, day: string) =>
      t('All {limit} calls of the plan {plan} until {day} were used.', { plan, limit, day }),
    cap: (limit: string) =>
      t('All {limit} calls that this key may make in a day were used. The plan had calls left.', { limit }),
    memberLimit: (limit: string) =>
      t(
        'All {limit} calls that the keys of the member who made this key may make in a day were used. The owner sets this limit under Members.',
        { limit },
      ),
    test: (limit: string) =>
      t('All {limit} test calls of that day were used, with all your test keys together.', { limit }),
    testSecond: (limit: string) => t('All your test keys together may make {limit} calls per second.', { limit }),
    tooLarge: (limit: string) => t('The request body was larger than {limit} bytes.', { limit }),
    upstreamFailed: t('The API sent no valid response. The fault is on our side, and the call was not counted.'),
    upstreamTooSlow: (ms: string) =>
      t('The API did not respond in time: we stopped waiting after {ms} ms. The call was not counted.', { ms }),
    cannotCheck: t('The gateway could not check or count the call, so it did not reach the API. Send it again.'),
    cannotCount: t(
      'The call reached the API, but the gateway could not count it, so the response was not sent and the call was not counted. Send it again.',
    ),
    notSetUp: t('The API was not completely set up on our side, so the call did not reach it and was not counted.'),
    overloaded: t('Too many calls were in progress, so this one did not reach the API. Send it again.'),
    field: (field: string) => t('The API rejected the field {field}. Its response named every error.', { field }),
    invalid: t('The API rejected the input. Its response named every error.'),
    rejected: (status: string) => t('The API received the call and rejected it with status {status}.', { status }),
    apiFailed: (status: string) => t('The API failed with status {status}. The call was not counted.', { status }),
    brokeOff: t('The response was cut off on our side. The call was not counted.'),
    left: t('Your client disconnected before the response arrived.'),
    old: t('The gateway refused this call. It was logged before the log kept problem codes.'),
    fine: t('The API responded.'),
    replayed: t('The same response had been sent before, for the same Idempotency-Key.'),
    checks: {
      key: t('Key known and not revoked'),
      account: t('Account not blocked'),
      expiry: t('Key not expired'),
      address: t('Address allowed'),
      room: t('Gateway had room'),
      api: t('Key is for this API'),
      sandbox: t('API has a sandbox'),
      plan: t('Plan running'),
      operation: t('Operation in the plan'),
      rate: t('Calls per second'),
      quota: t('Quota left'),
      queue: t('API had room'),
      body: t('Body within the limit'),
      response: t('Response of the API'),
    } satisfies Record<CallCheck, string>,
    results: {
      passed: t('Passed'),
      failed: t('Failed here'),
      'not-reached': t('Not reached'),
    },
    dialog: t('Request'),
    checked: t('What was checked'),
    code: t('Problem code'),
    noCode: t('None'),
    counted: t('Counted'),
    id: t('Request id'),
    docs: t('Endpoint documentation'),
    tryAgain: t('Try again in sandbox'),
    ask: t('Ask support about this request'),
    toKeys: t('Go to API keys'),
    toPlans: t('Go to plans'),
    close: t('Close'),
    subject: (id: string, status: string) => t('Request {id}: status {status}', { id, status }),
    alerts: t('Today’s problems'),
    revokedAlert: (calls: number, key: string) =>
      t('{calls, plural, one {# call} other {# calls}} with the revoked key {key}', { calls, key }),
    keyAlert: (calls: number, title: string, key: string) =>
      t('{calls, plural, one {# call} other {# calls}}: {title} ({key})', { calls, title, key }),
    rateAlert: (calls: number, share: string) =>
      t('{calls, plural, one {# call} other {# calls}} over the plan’s rate per second: {share} of today’s calls', {
        calls,
        share,
      }),
    shareAlert: (calls: number, title: string, share: string) =>
      t('{calls, plural, one {# call} other {# calls}}: {title}, {share} of today’s calls', { calls, title, share }),
    show: t('Show'),
    showNamed: (what: string) => t('Show: {what}', { what }),
    lastAt: (time: string) => t('last at {time}', { time }),
  }),
  hindi,
);
