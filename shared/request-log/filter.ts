import { soughtTypes } from '#shared/domain/call-search.ts';
import { addDays, startOfDay } from '#shared/domain/day.ts';
import type { CallType, LoggedCall } from '#shared/domain/logged-call.ts';
import { isRequestId } from '#shared/domain/request-ids.ts';
import type { LogFilter, Place } from './log.ts';

export function newestFirst(a: Place, b: Place): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.requestId === b.requestId) return 0;
  return a.requestId > b.requestId ? -1 : 1;
}

/** The request id that is searched for, if it is one. */
export function soughtId({ q }: LogFilter): string | undefined {
  return q !== undefined && isRequestId(q.trim()) ? q.trim() : undefined;
}

/** The times of its days, in epoch milliseconds; the second one is outside. */
export function timesOf({ from, to }: LogFilter): [number, number] {
  return [from === undefined ? -Infinity : startOfDay(from), to === undefined ? Infinity : startOfDay(addDays(to, 1))];
}

/** Matches what calls share, which is much less work than to look at each. */
export function typeMatcher({ status, counted, q }: LogFilter): (type: CallType) => boolean {
  const wanted = status?.endsWith('xx') ? status[0] : status;
  const isSought = q === undefined ? undefined : soughtTypes(q);
  return (type) =>
    (wanted === undefined || String(type.status).startsWith(wanted)) &&
    (counted === undefined || type.units > 0 === (counted === 'yes')) &&
    (isSought === undefined || isSought(type));
}

/** Matches what is a call's own. */
export function callMatcher(filter: LogFilter, after: Place | undefined): (call: LoggedCall) => boolean {
  const [fromMs, toMs] = timesOf(filter);
  const id = soughtId(filter);
  return (call) =>
    call.at >= fromMs &&
    call.at < toMs &&
    (id === undefined || call.requestId === id) &&
    (after === undefined || newestFirst(after, call) < 0);
}
