import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isDay } from '#shared/domain/day.ts';
import { type CodeEntry, kindOfCode, type RateRow, type RateTable } from '#products/tax-lookup/rate-table.ts';

/** Every GST rate in force at any time since April 2025. */
const rates = [0, 0.25, 1.5, 3, 5, 12, 18, 28, 40] as const;

const day = z.string().refine(isDay, 'must be a day, yyyy-mm-dd');

const notificationsFile = z.strictObject({
  asOf: day,
  notifications: z.record(
    z.string(),
    z.strictObject({ name: z.string(), dated: day, from: day, until: day.optional() }),
  ),
});

const row = z.strictObject({
  rate: z.number().refine((rate) => rates.some((known) => known === rate), `must be one of ${rates.join(', ')}`),
  condition: z.string().min(3).optional(),
  schedule: z.enum(['I', 'II', 'III', 'IV', 'V', 'VI', 'VII']).optional(),
  serial: z.string().optional(),
  by: z.string(),
  from: day.optional(),
  to: day.optional(),
});

const codesFile = z.strictObject({
  codes: z.array(
    z.strictObject({
      code: z.string().regex(/^(?:\d{2}|\d{4}|\d{6}|\d{8})$/, 'must have 2, 4, 6 or 8 digits'),
      description: z.string().min(3),
      covers: z.literal('below').optional(),
      words: z.string().optional(),
      rates: z.array(row).min(1),
    }),
  ),
});

type Notifications = z.output<typeof notificationsFile>['notifications'];
type FileRow = z.output<typeof row>;

/** All errors in the rate files, one sentence each. */
export class RateFaults extends Error {
  override readonly name = 'RateFaults';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(['The rate table has errors:', ...faults.map((each) => `  - ${each}`)].join('\n'));
    this.faults = faults;
  }
}

/**
 * Reads the curated rates of a folder: `notifications.yaml`, and every other `.yaml` file with its codes. Throws
 * RateFaults, naming every error, when a file breaks its schema, names an unknown notification, repeats a code, or
 * gives one code two rates under the same condition on one day.
 */
export function readRateTable(folder: string): RateTable {
  const faults: string[] = [];
  const read = <Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> | undefined => {
    try {
      const parsed = schema.safeParse(parse(readFileSync(join(folder, file), 'utf8')));
      if (parsed.success) return parsed.data;
      faults.push(...parsed.error.issues.map((issue) => `${file}: ${issue.path.join('.')}: ${issue.message}`));
    } catch (error) {
      // The file cannot be read, or is not YAML.
      faults.push(`${join(folder, file)}: ${error instanceof Error ? error.message : String(error)}`);
    }
    return undefined;
  };
  const head = read('notifications.yaml', notificationsFile);
  if (head === undefined) throw new RateFaults(faults);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'notifications.yaml');
  const entries: CodeEntry[] = [];
  for (const file of files.toSorted()) {
    for (const code of read(file, codesFile)?.codes ?? []) {
      const rows = code.rates.map((each) => datedRow(each, head.notifications, `${file}: ${code.code}`, faults));
      if (entries.some((entry) => entry.code === code.code)) faults.push(`${file}: ${code.code} is listed twice.`);
      faults.push(...overlaps(rows).map((fault) => `${file}: ${code.code}: ${fault}`));
      const { covers, words = '', description } = code;
      entries.push({
        code: code.code,
        kind: kindOfCode(code.code),
        description,
        coversBelow: covers === 'below',
        words,
        rows,
      });
    }
  }
  if (faults.length > 0) throw new RateFaults(faults);
  return { asOf: head.asOf, entries };
}

function datedRow(row: FileRow, notifications: Notifications, where: string, faults: string[]): RateRow {
  const notification = notifications[row.by];
  if (notification === undefined) faults.push(`${where}: no notification '${row.by}' in notifications.yaml.`);
  const validFrom = row.from ?? notification?.from ?? '';
  const validTo = row.to ?? notification?.until ?? null;
  if (validTo !== null && validTo < validFrom) faults.push(`${where}: a rate ends before it begins.`);
  if (notification !== undefined && validFrom < notification.from) {
    faults.push(`${where}: a rate begins before its notification ${row.by}.`);
  }
  return {
    rate: row.rate,
    condition: row.condition ?? null,
    schedule: row.schedule ?? null,
    serial: row.serial ?? null,
    notification: notification?.name ?? row.by,
    validFrom,
    validTo,
  };
}

/** Two rows that claim one day under the same condition, or a row without condition beside any other. */
function overlaps(rows: readonly RateRow[]): string[] {
  return rows.flatMap((one, index) =>
    rows.slice(index + 1).flatMap((other) => {
      const sameCase = one.condition === other.condition || one.condition === null || other.condition === null;
      const sameDays =
        one.validFrom <= (other.validTo ?? '9999-12-31') && other.validFrom <= (one.validTo ?? '9999-12-31');
      return sameCase && sameDays ? [`${one.rate} % and ${other.rate} % apply on the same day.`] : [];
    }),
  );
}
