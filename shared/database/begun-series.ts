import { z } from 'zod';
import type { DocumentKind } from '#shared/domain/document.ts';

/** The furthest series that was begun, by financial year and kind (`2026-27 INVOICE`), as its place in `seriesOfKind`. */
export const begunSchema = z.record(z.string(), z.number().int().min(0));
export type BegunSeries = z.output<typeof begunSchema>;

export const begunKey = (financialYear: string, kind: DocumentKind): string => `${financialYear} ${kind}`;

/** A closed series has begun the next one. */
export const selectBegun = `select coalesce(jsonb_object_agg(key, place), '{}') from (
  select financial_year || ' ' || kind as key, max(taken.place) as place from (
    select financial_year, series, 0 as further from document_series
    union all select financial_year, series, 1 from closed_series) used
  join document_series_forms on name = series
  cross join lateral (select place + further as place) taken group by 1) furthest`;

export function furthestOf(...all: readonly BegunSeries[]): BegunSeries {
  const furthest: BegunSeries = {};
  for (const begun of all)
    for (const [key, place] of Object.entries(begun)) furthest[key] = Math.max(place, furthest[key] ?? 0);
  return furthest;
}
