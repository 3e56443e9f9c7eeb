import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#shared/database/connect.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';

/**
 * The portal reads the clock's offset twice a second, and checks every two seconds for changes caused by time alone.
 */
const followedMs = 700;
const roundMs = 2_600;
const dayMs = 86_400_000;

/** An event on a day. */
interface Event {
  daysAgo: number;
  act: () => Promise<void>;
}

/** A history in the making: events are scheduled for days and played in order. */
export interface Past {
  /** Schedules an event for a day; one added while that day is being played comes after the existing ones. */
  on: (daysAgo: number, act: () => Promise<void>) => void;
  /**
   * On this day something happens by time alone, such as the start of a prepaid cycle: waits for the portal to process
   * it.
   */
  awaitRound: (daysAgo: number) => void;
  /** The day `count` days ago; negative for the future. */
  day: (daysAgo: number) => Day;
  /** Plays all events, then resets the clocks. */
  play: (tell: (day: Day) => void) => Promise<void>;
}

/**
 * @param db the database with the product's clock (table `clock`)
 * @param razorpayUrl the stand-in, whose payments carry the time of its own clock
 */
export function createPast(db: Db, razorpayUrl: string, machineClock: () => number): Past {
  const events: Event[] = [];
  const today = dayOf(machineClock());
  let nowAgo = 0;

  async function goTo(daysAgo: number): Promise<void> {
    const offset_ms = -daysAgo * dayMs;
    // First, so that the portal finds the settlements of the meantime there.
    await post(`${razorpayUrl}/standin/clock`, { advanceMs: (nowAgo - daysAgo) * dayMs });
    await db
      .insertInto('clock')
      .values({ only_row: true, offset_ms })
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ offset_ms }))
      .execute();
    nowAgo = daysAgo;
    await sleep(followedMs);
  }

  const past: Past = {
    on: (daysAgo, act) => void events.push({ daysAgo, act }),
    awaitRound: (daysAgo) => past.on(daysAgo, () => sleep(roundMs)),
    day: (daysAgo) => addDays(today, -daysAgo),
    play: async (tell) => {
      try {
        for (let next = takeFirst(events); next !== undefined; next = takeFirst(events)) {
          if (next.daysAgo !== nowAgo) {
            await goTo(next.daysAgo);
            tell(past.day(next.daysAgo));
          }
          await next.act();
        }
      } finally {
        await goTo(0);
      }
    },
  };
  return past;
}

/** The earliest event; of several on one day, the one scheduled first. */
function takeFirst(events: Event[]): Event | undefined {
  const earliest = Math.max(...events.map(({ daysAgo }) => daysAgo));
  const index = events.findIndex(({ daysAgo }) => daysAgo === earliest);
  return index < 0 ? undefined : events.splice(index, 1)[0];
}

async function post(url: string, body: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`);
}
