import type { Tx } from '#shared/database/connect.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { renewsStill, type SkippedBy } from '#shared/domain/mandate.ts';
import { happened } from '#server/features/events/events.ts';
import type { EventContext } from '#server/portal.ts';
import { mandateFacts, type MandateRow, selectMandate, updateSkipped } from './store.ts';

/** Skips the debit of the cycle that would begin on a day, or takes that back (`by` null). Requires the activation's lock. */
export async function changeSkip(
  portal: EventContext,
  tx: Tx,
  mandate: MandateRow,
  firstDay: Day,
  by: SkippedBy | null,
): Promise<void> {
  await updateSkipped(tx, mandate, by === null ? null : firstDay);
  if ((mandate.skipped_for === firstDay) !== (by !== null)) await tellSkip(portal, tx, mandate, firstDay, by);
}

/** Tells that the end of a cycle skipped the debit of the next one: the database does that (trigger `mandates_skip_with_cycle`). */
export async function tellSkipWithCycle(
  portal: EventContext,
  tx: Tx,
  before: MandateRow | undefined,
  now: Date,
): Promise<void> {
  const after = before && (await selectMandate(tx, { id: before.id }));
  const day = after?.skipped_for ?? null;
  // A plan that is running skips nothing when it ends.
  if (!after || day === null || day === before.skipped_for || day <= dayOf(now.getTime())) return;
  await tellSkip(portal, tx, after, day, 'REMOVAL', now);
}

async function tellSkip(
  portal: EventContext,
  tx: Tx,
  mandate: MandateRow,
  firstDay: Day,
  by: SkippedBy | null,
  at = new Date(portal.clock()),
): Promise<void> {
  if (!renewsStill(mandate.state)) return;
  const about = { ...(await mandateFacts(tx, mandate, at)), firstDay, at };
  const owner = { customerId: mandate.customer_id };
  await happened(
    portal,
    owner,
    tx,
    by === null ? { type: 'renewal.resumed', ...about } : { type: 'renewal.skipped', ...about, by },
  );
}
