import type { CallOutcome } from '#shared/domain/metering.ts';
import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/request-log/texts.hi.ts')).hindi;

export const requestTexts = texts(
  (t) => ({
    title: t('Request log'),
    last: t('Last calls'),
    working: (calls: number) =>
      t('Working: {calls, plural, one {# call} other {# calls}} today, without a problem', { calls }),
    callsToday: (calls: number) => t('{calls, plural, =0 {No calls} one {# call} other {# calls}} today', { calls }),
    lead: t('Every call of the last 30 days, shown a moment after its response.'),
    loading: t('Loading the request log'),
    failed: t('Failed to load the request log'),
    empty: t('No calls yet'),
    emptyMore: t('Calls with your keys appear here as they happen.'),
    noneFound: t('No matching calls'),
    noneFoundMore: t(
      'Choose other days, another key or another status. Calls that arrive without a valid key, or at an unknown address, are not logged: their response says why.',
    ),
    noneYet: t('No matching calls so far'),
    noneYetMore: t('The newest calls don’t match. “Older” searches the calls before them.'),
    live: t('Live'),
    tools: t('Filter the log'),
    search: t('Request id, code or path'),
    open: (method: string, path: string, status: string) =>
      t('{method} {path}, status {status}: details', { method, path, status }),
    from: t('From'),
    anyDay: t('Any day'),
    to: t('To'),
    key: t('Key'),
    allKeys: t('All keys'),
    status: t('Status'),
    allStatuses: t('All statuses'),
    statuses: {
      '2xx': t('2xx success'),
      '4xx': t('4xx refused'),
      '429': t('429 too many requests'),
      '5xx': t('5xx failed'),
    },
    counted: t('Counted'),
    anyCounted: t('Counted or not'),
    units: (units: string) => t('{units} units', { units }),
    isCounted: t('Counted'),
    notCounted: t('Not counted'),
    csv: t('Download CSV'),
    csvFailed: t('The file could not be created'),
    time: t('Time (IST)'),
    call: t('Call'),
    latency: t('Duration'),
    ms: (latency: string) => t('{latency} ms', { latency }),
    request: t('Request id'),
    test: t('Test'),
    older: t('Older'),
    newest: t('Newest'),
    unlogged: (calls: string, day: string) =>
      t(
        '{calls} counted calls of {day} are not in this log. They appear in a moment, or an overloaded gateway couldn’t log them. They are counted either way.',
        { calls, day },
      ),
    unlisted: (calls: string, day: string) =>
      t(
        '{calls} refused calls of {day} are not listed one by one: only so many are, and then about one in ten seconds. Today’s problems count them all.',
        { calls, day },
      ),
    why: {
      answered: t('Success'),
      judged: t('Rejected as invalid'),
      free: t('Free'),
      replayed: t('Replayed'),
      failed: t('API failed'),
      'broke-off': t('Response cut off'),
      'caller-left': t('Client disconnected'),
      refused: t('Refused by the gateway'),
      test: t('Test key'),
    } satisfies Record<CallOutcome, string>,
  }),
  hindi,
);
