import { addDays, type Day, daysBetween, isDay } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';

/**
 * A letter of undertaking (Form GST RFD-11, Rule 96A): exports and supplies to SEZs on these days bear no tax. It is valid for one financial
 * year (Circular 8/8/2017-GST), or for the rest of it.
 */
export interface LetterOfUndertaking {
  /** Its acknowledgement number. */
  arn: string;
  fromDate: Day;
  /** The last day on which it is valid. */
  lastDate: Day;
}

/** Parses `AD270326000001A:2026-04-01:2027-03-31`, several separated by commas. Throws RangeError with the reason. */
export function parseLetters(text: string): LetterOfUndertaking[] {
  const letters = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseLetter);
  const sorted = letters.toSorted((a, b) => (a.fromDate < b.fromDate ? -1 : 1));
  sorted.forEach((letter, index) => {
    const before = sorted.slice(0, index).findLast(({ arn }) => stateOf(arn) === stateOf(letter.arn));
    if (before && letter.fromDate <= before.lastDate) {
      throw new RangeError(`${before.arn} and ${letter.arn} are valid on the same days`);
    }
  });
  if (new Set(letters.map(({ arn }) => arn)).size < letters.length) throw new RangeError('an ARN is named twice');
  return sorted;
}

function parseLetter(text: string): LetterOfUndertaking {
  const [arn = '', fromDate = '', lastDate = '', ...rest] = text.split(':');
  if (!arnForm.test(arn)) throw new RangeError(`${arn} is not an ARN of 15 characters`);
  if (rest.length > 0 || !isDay(fromDate) || !isDay(lastDate) || lastDate < fromDate) {
    throw new RangeError(`${text} must be ARN:first day:last day, such as ${arn}:2026-04-01:2027-03-31`);
  }
  if (financialYearOf(fromDate) !== financialYearOf(lastDate)) {
    throw new RangeError(`${arn} is valid in one financial year only, from 1 April to 31 March`);
  }
  return { arn, fromDate, lastDate };
}

/** The letters of a registration: each is accepted for one, and its number has the State (Rule 96A). */
export function lettersOf(letters: readonly LetterOfUndertaking[], gstin: string): LetterOfUndertaking[] {
  return letters.filter(({ arn }) => stateOf(arn) === gstin.slice(0, 2));
}

// Two letters, State, month and year, six digits, a check character.
const arnForm = /^[A-Z]{2}\d{12}[0-9A-Z]$/;

const stateOf = (arn: string): string => arn.slice(2, 4);

/** The letter under which a supply of this day bears no tax; undefined when none covers it: the supply is then taxed. */
export function letterOn(letters: readonly LetterOfUndertaking[], day: Day): LetterOfUndertaking | undefined {
  return letters.find(({ fromDate, lastDate }) => fromDate <= day && day <= lastDate);
}

/** The last day of the unbroken cover that includes this day; undefined when none covers it. */
export function coveredUntil(letters: readonly LetterOfUndertaking[], day: Day): Day | undefined {
  const letter = letterOn(letters, day);
  if (!letter) return undefined;
  return coveredUntil(letters, addDays(letter.lastDate, 1)) ?? letter.lastDate;
}

/** The first warning comes this many days before the cover ends: the next letter takes the GST portal some days. */
export const firstWarningDays = 45;

/** The operator is warned this many days before the cover ends. */
const warningDays: ReadonlySet<number> = new Set([firstWarningDays, 30, 15, 7, 3, 2, 1, 0]);

/** What the operator must hear on a day about letters of undertaking; undefined when nothing. Without any letter, exports were always taxed. */
export function coverWarning(
  letters: readonly LetterOfUndertaking[],
  today: Day,
): { kind: 'ends'; lastDate: Day; daysLeft: number } | { kind: 'ended'; lastDate: Day } | undefined {
  const lastDate = coveredUntil(letters, today);
  if (lastDate !== undefined) {
    const daysLeft = daysBetween(today, lastDate);
    return warningDays.has(daysLeft) ? { kind: 'ends', lastDate, daysLeft } : undefined;
  }
  const ended = letters.findLast((letter) => letter.lastDate < today);
  return ended && { kind: 'ended', lastDate: ended.lastDate };
}
