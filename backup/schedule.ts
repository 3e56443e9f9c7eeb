/** Minutes of India's time before UTC's. */
const indiaMinutes = 330;
const dayMs = 86_400_000;

/**
 * When the next nightly backup is due (epoch milliseconds): at the first `time` (HH:MM in India) after the newest one; at once if that time
 * has passed, or if there is no backup yet.
 */
export function nextBackupAt(now: number, time: string, newest: number | undefined): number {
  if (newest === undefined) return now;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const ofDay = (hours * 60 + minutes - indiaMinutes) * 60_000;
  const first = Math.floor((newest - ofDay) / dayMs) * dayMs + ofDay + dayMs;
  return Math.max(now, first);
}
