import { tryTexts as texts } from '#web/features/reference/texts.ts';
import { timeText } from '#web/ui/localized-days.ts';

/**
 * When a refused call may be repeated, from the seconds of Retry-After: in seconds below a minute, else as the IST time
 * with how long that is. Rounded to the minute, because windows end on whole minutes and clocks differ a little.
 */
export function retryText(seconds: number, nowMs: number): string {
  if (seconds < 60) return texts.retryInSeconds(String(seconds));
  const instant = new Date(Math.round((nowMs + seconds * 1000) / 60_000) * 60_000).toISOString();
  const hours = Math.floor(seconds / 3600);
  const minutes = String(Math.ceil((seconds % 3600) / 60));
  const time = timeText(instant).slice(0, 5);
  return hours === 0 ? texts.retryInMinutes(time, minutes) : texts.retryInHours(time, String(hours), minutes);
}
