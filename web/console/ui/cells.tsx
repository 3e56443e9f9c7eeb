import { Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import { dayText, instantText, relativeDayText, dayOfInstant } from '#web/ui/localized-days.ts';
import { serverNow } from '#web/ui/server-time.ts';
import { useToday } from '#web/ui/today.ts';

/** A moment or a day. */
export const whenText = (when: string) => (when.length > 10 ? instantText(when) : dayText(when));

/** A moment or a day, in words where it is near, and in full for who points at it. */
export function When({ at }: { at: string }) {
  const today = useToday();
  const day = at.length > 10 ? dayOfInstant(at) : at;
  const shown = at.length > 10 && day === today ? `Today, ${instantText(at).slice(-5)}` : relativeDayText(day, today);
  return (
    <Tooltip label={whenText(at)}>
      <time dateTime={at} className="num">
        {shown}
      </time>
    </Tooltip>
  );
}

const minuteMs = 60_000;

/** How long ago a moment was, for what waits: "12 min", "5 h", "3 d". */
export function ageText(at: string): string {
  const minutes = Math.max(0, Math.round((serverNow() - Date.parse(at)) / minuteMs));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60 / 24)} d`;
}

export function CustomerLink({ id, name }: { id: string; name?: string }) {
  return (
    <Link className={name === undefined ? 'link mono' : 'link'} to={`/customers/${encodeURIComponent(id)}`}>
      {name ?? id}
    </Link>
  );
}
