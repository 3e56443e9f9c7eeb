import type { Db } from '#database/connect.ts';
import type { Clock } from '#platform/clock.ts';

/** How often the offset is read again. */
const followMs = 500;

/** The product's clock while stand-ins are in use: the machine's, moved by what the database says. */
export async function followClock(db: Db, machineClock: Clock): Promise<{ clock: Clock; stop: () => void }> {
  let offsetMs = 0;
  const read = async (): Promise<void> => {
    const row = await db.selectFrom('clock').select('offset_ms').executeTakeFirst();
    offsetMs = row?.offset_ms ?? 0;
  };
  await read();
  const timer = setInterval(() => void read().catch(() => undefined), followMs);
  timer.unref();
  return { clock: () => machineClock() + offsetMs, stop: () => clearInterval(timer) };
}
