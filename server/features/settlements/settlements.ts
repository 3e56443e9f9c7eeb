import { type Day, dayOf } from '#shared/domain/day.ts';
import type { Month } from '#shared/domain/month.ts';
import type { Difference } from '#shared/domain/settlement.ts';
import { readDoneFor, setDoneFor } from '#server/rounds/changes.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import type { Portal } from '#server/portal.ts';
import { differencesIn } from './compare.ts';
import { readSettlements } from './read.ts';
import { selectReading, updateCompared } from './store.ts';

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
  const differences = await differencesIn(portal, undefined, nowMs);
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

/** In what the settlements of a month differ from the books, and until when they were read. */
export async function compareMonth(
  source: OperatorSource,
  month: Month,
): Promise<{ differences: Difference[]; readUntil: Day | null }> {
  const differences = await differencesIn(source, month, source.clock());
  return { differences, readUntil: (await selectReading(source.db)).read_until };
}
