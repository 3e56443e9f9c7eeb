import { type RequestFilter, requestLogDays } from '#contract/request-log.ts';
import { addDays, dayOf, isDay } from '#domain/day.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { type Place, selectRequests } from './page.ts';
import { selectUnlogged } from './store.ts';

/** A page of the log. `after`: where it starts, from `next` of the previous page. */
export async function readRequests(
  portal: Portal,
  caller: Caller,
  activationId: string,
  { after, limit, ...filter }: RequestFilter & { after?: string | undefined; limit: number },
) {
  const now = portal.clock();
  const rows = await selectRequests(caller, portal.db, activationId, filter, {
    after: after === undefined ? undefined : placeOf(after),
    limit: limit + 1,
  });
  const requests = rows.slice(0, limit);
  const last = requests.at(-1);
  const isWhole = after === undefined && Object.values(filter).every((value) => value === undefined);
  return {
    requests,
    next: rows.length > limit && last !== undefined ? `${last.at} ${last.requestId}` : null,
    unlogged: isWhole ? await selectUnlogged(caller, portal.db, activationId, oldestDay(now)) : [],
    asOf: new Date(now).toISOString(),
  };
}

function oldestDay(now: number) {
  return addDays(dayOf(now), -requestLogDays);
}

/** The position for `after`. Invalid text sorts before everything: the page is empty. */
function placeOf(text: string): Place {
  const [at = '', requestId = ''] = text.split(' ', 2);
  // JavaScript accepts dates that PostgreSQL rejects.
  const instant = isDay(at.slice(0, 10)) ? new Date(at).getTime() : Number.NaN;
  return { at: Number.isNaN(instant) ? 0 : instant, requestId };
}
