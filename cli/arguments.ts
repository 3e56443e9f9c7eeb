import { InvalidArgumentError } from 'commander';
import { type Day, isDay } from '#domain/day.ts';
import { assertMonth, type Month } from '#domain/month.ts';

/** `2026-11` of a command line. */
export function monthArgument(text: string): Month {
  try {
    return assertMonth(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** `2026-11-20` of a command line. */
export function dayArgument(text: string): Day {
  if (!isDay(text)) throw new InvalidArgumentError(`${text} is not a day. Write it like 2026-11-20.`);
  return text;
}
