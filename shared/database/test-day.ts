import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';

/** No file of tests, and no test in a browser, begins in the last minutes of a day: even on a slow machine it is over before midnight. */
export const tooLateMs = 5 * 60_000;

/** How long a test that would begin at `now` has to wait so that it ends on the day on which it began, in ms. */
export function waitForDayMs(now: number): number {
  const leftMs = startOfDay(addDays(dayOf(now), 1)) - now;
  return leftMs > tooLateMs ? 0 : leftMs;
}

/**
 * Waits for the next day when this one is almost over. What customers see and pay is counted by days in India, so a test that counts
 * calls on both sides of midnight finds neither sum. Tests of midnight itself move the product's clock.
 */
export async function untilDayLasts(): Promise<void> {
  for (let waitMs = waitForDayMs(Date.now()); waitMs > 0; waitMs = waitForDayMs(Date.now())) {
    process.stdout.write(`Waiting for midnight in India, ${Math.ceil(waitMs / 1000)} s: tests count by days\n`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
