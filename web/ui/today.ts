import { useEffect, useState } from 'react';
import { type Day, dayOf } from '#domain/day.ts';

const checkEveryMs = 15_000;

/** Today in IST; the page turns with it at midnight. */
export function useToday(): Day {
  const [today, setToday] = useState(() => dayOf(Date.now()));
  useEffect(() => {
    const timer = window.setInterval(() => setToday(dayOf(Date.now())), checkEveryMs);
    return () => window.clearInterval(timer);
  }, []);
  return today;
}
