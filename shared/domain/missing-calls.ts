import type { Day } from './day.ts';
import { spanText } from './day-text.ts';
import { formatNumber } from './number-text.ts';

/** A day with calls that a request log doesn't list. */
interface MissingCalls {
  day: Day;
  calls: number;
}

const sentences = {
  unlogged:
    'counted calls of {days} are not in this log: they appear in a moment, or an overloaded gateway couldn’t log them.',
  unlisted: 'refused calls of {days} are not listed one by one.',
};

/** What a request log says of the calls that it doesn't list, to operators. */
export function missingCallsText(log: Record<keyof typeof sentences, readonly MissingCalls[]>): string[] {
  return (['unlogged', 'unlisted'] as const).flatMap((kind) => {
    const days = log[kind].map(({ day }) => day).toSorted();
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return [];
    const calls = log[kind].reduce((sum, each) => sum + each.calls, 0);
    return [`${formatNumber(calls)} ${sentences[kind].replace('{days}', spanText(first, last))}`];
  });
}
