import { InvalidArgumentError } from 'commander';
import { type BookPeriod, readBookPeriod } from '#shared/domain/book-period.ts';
import { type Day, isDay } from '#shared/domain/day.ts';
import { assertMonth, type Month } from '#shared/domain/month.ts';
import { readUtr } from '#shared/domain/refund-payout.ts';

/** `2026-11` of a command line. */
export const monthArgument = (text: string): Month => checked(assertMonth, text);

/** `2026-11` or `2026-27` of a command line. */
export const bookPeriodArgument = (text: string): BookPeriod => checked(readBookPeriod, text);

function checked<Value>(read: (text: string) => Value, text: string): Value {
  try {
    return read(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** `249.50` of a command line: an amount in rupees, more than nothing. */
export function rupeesArgument(text: string): number {
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError(`${text} is not an amount in rupees, such as 250 or 249.50.`);
  return Number(text);
}

/** `7` of a command line: a number of days. */
export function daysArgument(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError(`${text} is not a number of days.`);
  return Number(text);
}

/** `2026-11-20` of a command line. */
export function dayArgument(text: string): Day {
  if (!isDay(text)) throw new InvalidArgumentError(`${text} is not a day. Write it like 2026-11-20.`);
  return text;
}

/** `SBIN326015123456` of a command line: the number of a bank transfer. */
export function utrArgument(text: string): string {
  const utr = readUtr(text);
  if (utr === undefined)
    throw new InvalidArgumentError(`${text} is not the number of a transfer: 6 to 30 letters and digits.`);
  return utr;
}
