import type { UsageReport } from '#shared/contract/usage.ts';
import { type Day, addDays, daysBetween } from '#shared/domain/day.ts';
import { hasReachedThreshold } from '#shared/domain/quota-thresholds.ts';
import type { ReportFilter } from '#web/features/usage/report-filter.ts';

/** One row of a report's table and one colour of its chart: a product's activation, or a key of it. */
export interface ReportLine {
  id: string;
  activationId: string;
  service: string;
  /** Null: all keys of the activation together. */
  keyName: string | null;
  counted: number;
  free: number;
  /** Units of quota that the counted calls used. */
  units: number;
  /** Units of the day with the most. */
  highest: number;
  /** Of the running plan; null when none is running. */
  dailyQuota: number | null;
}

/** The units of a day or a month (its first day), by the id of the line. */
export interface ReportPoint {
  day: Day;
  byLine: Record<string, number>;
  total: number;
}

export interface ReportView {
  points: ReportPoint[];
  /** Most calls first. */
  lines: ReportLine[];
  counted: number;
  free: number;
  /** Units of quota that the counted calls used; as many as calls, where each call costs one. */
  units: number;
  days: number;
  /** The day with the most units. */
  highest: { day: Day; units: number };
  /** Days on which an activation used 80 % of its daily quota or more; null where no plan is running. */
  tightDays: number | null;
}

type Rows = UsageReport['rows'];

/** The rows that a filter leaves, summed by day or month and by product or key. Points, highest and tight days are in units, as quotas are. */
export function viewOf(report: UsageReport, { per, by, activationId }: ReportFilter): ReportView {
  const rows = report.rows.filter((row) => activationId === null || row.activationId === activationId);
  const quotas = new Map(report.activations.map((each) => [each.activationId, each.dailyQuota]));
  const perDay = [...groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => ({
    day,
    units: sumOf(ofDay, 'units'),
  }));
  const first = { day: report.from, units: 0 };
  return {
    points: pointsOf(report, rows, per, by),
    lines: [...groupBy(rows, (row) => lineId(row, by))]
      .map(([id, ofLine]) => lineOf(id, ofLine, by, quotas))
      .toSorted((a, b) => b.units - a.units),
    counted: sumOf(rows, 'counted'),
    free: sumOf(rows, 'free'),
    units: sumOf(rows, 'units'),
    days: daysBetween(report.from, report.to) + 1,
    highest: perDay.reduce((best, each) => (each.units > best.units ? each : best), first),
    tightDays: tightDaysOf(rows, quotas, activationId),
  };
}

/** Do calls cost other than one unit here? */
export const isInUnits = ({ units, counted }: ReportView): boolean => units !== counted;

/** At most `most` series for a chart: the largest lines, and the rest as one more. */
export function chartSeries(lines: readonly ReportLine[], most: number): { ids: string[]; name: ReportLine | null }[] {
  if (lines.length <= most) return lines.map((line) => ({ ids: [line.id], name: line }));
  const [large, small] = [lines.slice(0, most - 1), lines.slice(most - 1)];
  return [...large.map((line) => ({ ids: [line.id], name: line })), { ids: small.map(({ id }) => id), name: null }];
}

function lineId({ activationId, keyId }: Rows[number], by: ReportFilter['by']): string {
  return by === 'key' ? keyId : activationId;
}

function lineOf(
  id: string,
  rows: Rows,
  by: ReportFilter['by'],
  quotas: ReadonlyMap<string, number | null>,
): ReportLine {
  const [first] = rows;
  const activationId = first?.activationId ?? '';
  const perDay = [...groupBy(rows, ({ day }) => day).values()].map((ofDay) => sumOf(ofDay, 'units'));
  return {
    id,
    activationId,
    service: first?.serviceName ?? '',
    keyName: by === 'key' ? (first?.keyName ?? '') : null,
    counted: sumOf(rows, 'counted'),
    free: sumOf(rows, 'free'),
    units: sumOf(rows, 'units'),
    highest: Math.max(0, ...perDay),
    dailyQuota: quotas.get(activationId) ?? null,
  };
}

function pointsOf(
  { from, to }: UsageReport,
  rows: Rows,
  per: ReportFilter['per'],
  by: ReportFilter['by'],
): ReportPoint[] {
  const startOf = (day: Day) => (per === 'month' ? `${day.slice(0, 7)}-01` : day);
  const points = new Map<Day, ReportPoint>();
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const start = startOf(day);
    if (!points.has(start)) points.set(start, { day: start, byLine: {}, total: 0 });
  }
  for (const row of rows) {
    const point = points.get(startOf(row.day));
    if (point === undefined) continue;
    const id = lineId(row, by);
    point.byLine[id] = (point.byLine[id] ?? 0) + row.units;
    point.total += row.units;
  }
  return [...points.values()];
}

function tightDaysOf(
  rows: Rows,
  quotas: ReadonlyMap<string, number | null>,
  activationId: string | null,
): number | null {
  const shown = [...quotas].filter(([id, quota]) => quota !== null && (activationId === null || id === activationId));
  if (shown.length === 0) return null;
  const tight = new Set<Day>();
  for (const [id, quota] of shown) {
    const ofActivation = rows.filter((row) => row.activationId === id);
    for (const [day, ofDay] of groupBy(ofActivation, (row) => row.day)) {
      if (quota !== null && hasReachedThreshold(sumOf(ofDay, 'units'), quota, 80)) tight.add(day);
    }
  }
  return tight.size;
}

function sumOf(rows: Rows, what: 'counted' | 'free' | 'units'): number {
  return rows.reduce((sum, row) => sum + row[what], 0);
}

function groupBy(rows: Rows, keyOf: (row: Rows[number]) => string): Map<string, Rows> {
  const groups = new Map<string, Rows>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
