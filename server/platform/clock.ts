import type { Db } from '#database/connect.ts';
import type { Day } from '#domain/day.ts';
import { createSteadyClock } from '#domain/steady-clock.ts';
import type { Clock } from '#platform/clock.ts';

/** How often the database is looked at. */
const followMs = 500;

/** The product's clock: it does not go back behind a day that any portal has reached, and can be moved while stand-ins are in use. */
export interface ProductClock {
  clock: Clock;
  /** How far it stands from the machine's. */
  offsetMs: () => number;
  /** Moves it: at once in this process, within half a second in every other one. */
  moveTo: (offsetMs: number) => Promise<void>;
  /** Tells the database what was reached, and hears from it what others have and how far the clock is moved. */
  follow: () => Promise<void>;
  stop: () => void;
}

/**
 * @param movable does the offset count that the database names?
 * @param onWaiting the machine's clock has gone back: time waits on this day for it
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
    const isSetAnew = row.offset_ms !== kept.offset_ms || (row.reached_day === null && kept.reached_day !== null);
    kept = row;
    if (isSetAnew) steady.forget();
    if (row.reached_day !== null) steady.reach(row.reached_day);
  };
  const read = () => db.selectFrom('clock').select(['offset_ms', 'reached_day']).executeTakeFirstOrThrow();

  const follow = async (): Promise<void> => {
    const before = moves;
    const row = await read();
    // What was read before the clock was moved here is old.
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

  // A clock that went back while nobody looked is noticed before anything is done by it.
  take(await read());
  await follow();
  const timer = setInterval(() => void follow().catch(() => undefined), followMs);
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
    stop: () => clearInterval(timer),
  };
}
