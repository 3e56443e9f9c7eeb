import { dayOf } from '#shared/domain/day.ts';
import { readDoneFor, setDoneFor } from '#server/rounds/changes.ts';
import type { Portal } from '#server/portal.ts';
import { compareSettlements, comparedDays } from './compare.ts';
import { readSettlements } from './read.ts';
import { selectReading, updateCompared } from './store.ts';

const dayMs = 86_400_000;

/**
 * Once a day: reads the provider's settlements, books them, and compares them with the portal's payments. Differences are an error in the log every
 * day until they are gone. After a failure the next run tries again.
 */
export async function followSettlements(portal: Portal, stopping?: AbortSignal): Promise<void> {
  const { db } = portal;
  const nowMs = portal.clock();
  const today = dayOf(nowMs);
  if ((await readDoneFor(db, today)).has('settlements')) return;
  await readSettlements(portal, stopping);
  if (stopping?.aborted) return;
  const differences = await compareSettlements(db, {
    fromMs: nowMs - comparedDays * dayMs,
    toMs: nowMs,
    nowMs,
    graceMs: portal.settings.settlementDays * dayMs,
  });
  await updateCompared(db, new Date(nowMs), differences.length);
  if (differences.length > 0) {
    const shown = differences.slice(0, 20);
    portal.log.error(
      { count: differences.length, differences: shown },
      "the payment provider's settlements differ from the books: see octroi settlements",
    );
  }
  await setDoneFor(db, ['settlements'], today);
}

/** For /backend/health. */
export async function readSettlementHealth({
  db,
}: Pick<Portal, 'db'>): Promise<{ readUntil: string | null; comparedAt: string | null; differences: number }> {
  const { read_until: readUntil, compared_at: comparedAt, differences } = await selectReading(db);
  return { readUntil, comparedAt: comparedAt?.toISOString() ?? null, differences };
}
