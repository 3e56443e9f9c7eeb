import type { Db } from './connect.ts';
import { databaseTime } from './expressions.ts';

interface Found {
  check: string;
  level: 'ok' | 'warning' | 'fault' | 'unchecked';
}

/** Keeps which checks complain, for the metrics of the portal; their texts are for the person who runs the doctor. */
export async function recordRun(db: Db, place: string, findings: readonly Found[]): Promise<void> {
  const complaints: Record<string, 'warning' | 'fault'> = {};
  for (const { check, level } of findings)
    if (level === 'fault' || (level === 'warning' && complaints[check] === undefined)) complaints[check] = level;
  const run = { examined_at: databaseTime, complaints: JSON.stringify(complaints) };
  await db
    .insertInto('doctor_runs')
    .values({ place, ...run })
    .onConflict((known) => known.column('place').doUpdateSet(run))
    .execute();
}
