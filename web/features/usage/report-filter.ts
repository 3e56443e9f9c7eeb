import { reportMaxDays } from '#shared/contract/usage.ts';
import { type Day, addDays, isDay } from '#shared/domain/day.ts';

/** How far back a report reaches; `own`: between two days that were typed. */
export const reportSpans = ['7', '30', '90', '365', 'own'] as const;
export type ReportSpan = (typeof reportSpans)[number];

/** The settings of a report. */
export interface ReportFilter {
  span: ReportSpan;
  from: Day;
  /** The last day, included. */
  to: Day;
  per: 'day' | 'month';
  by: 'product' | 'key';
  /** Null: all activations. */
  activationId: string | null;
}

const usualSpan = '30';

/** Parses the query of a URL; missing and invalid values get their defaults. `today` is the IST day. */
export function readReportFilter(
  search: URLSearchParams,
  today: Day,
  usual: Pick<ReportFilter, 'by'> = { by: 'product' },
): ReportFilter {
  const asked = search.get('span');
  const span = reportSpans.find((each) => each === asked) ?? usualSpan;
  const by = search.get('by');
  return {
    span,
    ...daysOf(span, search, today),
    per: search.get('per') === 'month' ? 'month' : 'day',
    by: by === 'key' || by === 'product' ? by : usual.by,
    activationId: search.get('activation') || null,
  };
}

/** The URL parameters for a change; defaults are left out. */
export function writeReportFilter(
  filter: ReportFilter,
  usual: Pick<ReportFilter, 'by'> = { by: 'product' },
): URLSearchParams {
  const search = new URLSearchParams();
  if (filter.span !== usualSpan) search.set('span', filter.span);
  if (filter.span === 'own') {
    search.set('from', filter.from);
    search.set('to', filter.to);
  }
  if (filter.per !== 'day') search.set('per', filter.per);
  if (filter.by !== usual.by) search.set('by', filter.by);
  if (filter.activationId !== null) search.set('activation', filter.activationId);
  return search;
}

/** Is it a span that a report can cover? */
export function isReportSpan({ from, to }: Pick<ReportFilter, 'from' | 'to'>): boolean {
  return from <= to && addDays(from, reportMaxDays) > to;
}

function daysOf(span: ReportSpan, search: URLSearchParams, today: Day): { from: Day; to: Day } {
  if (span !== 'own') return { from: addDays(today, 1 - Number(span)), to: today };
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  return {
    from: isDay(from) ? from : addDays(today, 1 - Number(usualSpan)),
    to: isDay(to) ? to : today,
  };
}
