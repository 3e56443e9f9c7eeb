import type { UsageReport } from '#shared/contract/usage.ts';
import { csvOf } from '#shared/domain/csv.ts';
import type { ReportFilter } from '#web/features/usage/report-filter.ts';

/** The shown rows as a file for a spreadsheet: one line per day or month and key, whatever the table groups by. */
export function reportCsv({ rows }: UsageReport, { per, activationId }: ReportFilter): string {
  const lines = new Map<string, UsageReport['rows'][number] & { start: string }>();
  for (const row of rows) {
    if (activationId !== null && row.activationId !== activationId) continue;
    const start = per === 'month' ? row.day.slice(0, 7) : row.day;
    const id = `${start} ${row.activationId} ${row.keyId}`;
    const line = lines.get(id) ?? { ...row, start, counted: 0, free: 0, units: 0 };
    const [counted, free] = [line.counted + row.counted, line.free + row.free];
    lines.set(id, { ...line, counted, free, units: line.units + row.units });
  }
  return csvOf(
    [per === 'month' ? 'month' : 'day', 'activation', 'service', 'key', 'counted', 'not_counted', 'units'],
    [...lines.values()].map(({ start, activationId: of, serviceName, keyName, counted, free, units }) => [
      start,
      of,
      serviceName,
      keyName,
      counted,
      free,
      units,
    ]),
  );
}
