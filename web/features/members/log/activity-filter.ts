import { type LoggedCall, loggedCalls } from '#shared/contract/member-log.ts';
import { addDays, isDay, startOfDay } from '#shared/domain/day.ts';

export interface ActivityFilter {
  memberId?: string;
  action?: LoggedCall;
  from?: string;
  to?: string;
}

/** The filter from the page's address; invalid words are ignored. Its days are whole ones. */
export function readActivityFilter(search: URLSearchParams): ActivityFilter {
  const who = search.get('who') ?? '';
  const what = search.get('what');
  const action = loggedCalls.find((call) => call === what);
  const startOf = (name: string, later: number) => {
    const day = search.get(name) ?? '';
    return isDay(day) ? new Date(startOfDay(addDays(day, later))).toISOString() : undefined;
  };
  const from = startOf('from', 0);
  const to = startOf('to', 1);
  return {
    ...(/^(?:MEM-\w+|provider)$/.test(who) && { memberId: who }),
    ...(action !== undefined && { action }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
