import { parseArgs } from 'node:util';
import { addDays, dayOf, startOfDay } from '#domain/day.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { readSettlementSettings } from './config.ts';
import { compareSettlements, comparedDays } from './features/settlements/compare.ts';
import { readSettlementReport, reportText } from './features/settlements/report.ts';
import { withDatabase } from './operator-database.ts';

const dayMs = 86_400_000;

/**
 * `npm run settlements [-- 2026-11] [--json]`: the provider's settlements of a month (of the last 190 days by default), and everything in which they
 * differ from the portal's books. Exits with 1 when there are differences.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
  loadEnvFile();
  const settings = readSettlementSettings({ env: process.env });
  const nowMs = Date.now();
  const { fromMs, toMs } = monthOf(positionals[0]) ?? { fromMs: nowMs - comparedDays * dayMs, toMs: nowMs };
  const { report, differences } = await withDatabase(settings, async (db) => ({
    report: await readSettlementReport(db, { fromMs, toMs }),
    differences: await compareSettlements(db, { fromMs, toMs, nowMs, graceMs: settings.settlementDays * dayMs }),
  }));
  process.stdout.write(
    values.json === true
      ? `${JSON.stringify({ ...report, differences: differences.map(({ atMs, ...each }) => ({ ...each, day: dayOf(atMs) })) }, null, 2)}\n`
      : reportText(report, differences),
  );
  if (differences.length > 0) process.exitCode = 1;
}

function monthOf(month: string | undefined): { fromMs: number; toMs: number } | undefined {
  if (month === undefined) return undefined;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new RangeError('Usage: npm run settlements -- [2026-11] [--json]');
  const first = `${month}-01`;
  const next = `${addDays(first, 31).slice(0, 7)}-01`;
  return { fromMs: startOfDay(first), toMs: startOfDay(next) };
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
});
