import type { Db } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import { createSteadyClock } from '#shared/domain/steady-clock.ts';
import type { Clock } from '#shared/platform/clock.ts';

/** How often the database is polled. */
const followMs = 500;

/** The product's clock: it never goes back to an earlier day than any portal has reached, and can be moved while stand-ins are in use. */
export interface ProductClock {
  clock: Clock;
  /** The offset from the machine's clock. */
  offsetMs: () => number;
  /** Moves the clock: at once in this process, within half a second in all others. */
  moveTo: (offsetMs: number) => Promise<void>;
  /** Stores the day that was reached, and reads the day that other processes reached and the offset. */
  follow: () => Promise<void>;
  /** Resolves when it no longer reads or writes. */
  stop: () => Promise<void>;
}

/** The product's clock as it stands now, for a command: the machine's, as far ahead as it was moved, and on no earlier day than was reached. */
export async function readProductClock(db: Db, machineClock: Clock): Promise<Clock> {
  const { offset_ms, reached_day } = await db
    .selectFrom('clock')
    .select(['offset_ms', 'reached_day'])
    .executeTakeFirstOrThrow();
  const steady = createSteadyClock(() => machineClock() + offset_ms);
  if (reached_day !== null) steady.reach(reached_day);
  return steady.now;
}

/** For a command after which nothing may be dated before this day of the product's clock: no portal need have run on it. */
export async function storeReachedDay(db: Db, day: Day): Promise<void> {
  await db
    .updateTable('clock')
    .set({ reached_day: day })
    .where((where) => where.or([where('reached_day', 'is', null), where('reached_day', '<', day)]))
    .execute();
}

/**
 * @param movable whether the offset in the database applies
 * @param onWaiting called when the machine's clock has gone back: the product's clock stops on this day until it catches up
 */
export async function followClock(
  db: Db,
  machineClock: Clock,
  { movable, onWaiting }: { movable: boolean; onWaiting: (day: Day) => void },
): Promise<ProductClock> {
  let kept: { offset_ms: number; reached_day: Day | null } = { offset_ms: 0, reached_day: null };
  const offsetMs = (): number => (movable ? kept.offset_ms : 0);
  const steady = createSteadyClock(() => machineClock() + offsetMs());
  let moves = 0;
  let hasWarned = false;

  const take = (row: typeof kept): void => {
    const isReset = row.offset_ms !== kept.offset_ms || (row.reached_day === null && kept.reached_day !== null);
    kept = row;
    if (isReset) steady.forget();
    if (row.reached_day !== null) steady.reach(row.reached_day);
  };
  const read = () => db.selectFrom('clock').select(['offset_ms', 'reached_day']).executeTakeFirstOrThrow();

  const follow = async (): Promise<void> => {
    const before = moves;
    const row = await read();
    // Read before the clock was moved here: stale.
    if (moves !== before) return;
    take(row);
    const reached = steady.reached();
    if (row.reached_day === null || row.reached_day < reached) {
      await db
        .updateTable('clock')
        .set({ reached_day: reached })
        .where('offset_ms', '=', row.offset_ms)
        .where((where) => where.or([where('reached_day', 'is', null), where('reached_day', '<', reached)]))
        .execute();
      if (moves === before) kept = { ...row, reached_day: reached };
    }
    const isWaiting = steady.isWaiting();
    if (isWaiting && !hasWarned) onWaiting(reached);
    hasWarned = isWaiting;
  };

  // Detects a clock that went back while the portal was down, before anything uses it.
  take(await read());
  await follow();
  let following: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // After a failure the next poll tries again.
    following = Promise.allSettled([following, follow()]);
  }, followMs);
  timer.unref();
  return {
    clock: steady.now,
    offsetMs,
    follow,
    moveTo: async (next) => {
      moves += 1;
      await db.updateTable('clock').set({ offset_ms: next }).execute();
      moves += 1;
      take({ offset_ms: next, reached_day: null });
    },
    stop: async () => {
      clearInterval(timer);
      await following;
    },
  };
}
