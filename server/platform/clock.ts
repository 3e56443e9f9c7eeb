import type { Db } from '#database/connect.ts';
import type { Clock } from '#platform/clock.ts';

/** How often the offset is read again. */
const followMs = 500;

/** The product's clock while it can be moved. */
export interface MovedClock {
  clock: Clock;
  /** How far it stands from the machine's. */
  offsetMs: () => number;
  /** Moves it: at once in this process, within half a second in every other one. */
  moveTo: (offsetMs: number) => Promise<void>;
  stop: () => void;
}

/** The product's clock while stand-ins are in use: the machine's, moved by what the database says. */
export async function followClock(db: Db, machineClock: Clock): Promise<MovedClock> {
  let offsetMs = 0;
  let moves = 0;
  const read = async (): Promise<void> => {
    const before = moves;
    const row = await db.selectFrom('clock').select('offset_ms').executeTakeFirst();
    // What was read before the clock was moved here is old.
    if (moves === before) offsetMs = row?.offset_ms ?? 0;
  };
  await read();
  const timer = setInterval(() => void read().catch(() => undefined), followMs);
  timer.unref();
  return {
    clock: () => machineClock() + offsetMs,
    offsetMs: () => offsetMs,
    moveTo: async (next) => {
      moves += 1;
      await db.updateTable('clock').set({ offset_ms: next }).execute();
      moves += 1;
      offsetMs = next;
    },
    stop: () => clearInterval(timer),
  };
}
