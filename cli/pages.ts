import { type Command, InvalidArgumentError } from 'commander';

/** Options of a command that lists a page. */
export interface PageOptions {
  limit: number;
  after?: string;
  json?: boolean;
}

/** Adds them to a command. */
export const withPageOptions = (command: Command): Command =>
  command
    .option('--limit <number>', 'how many, at most 1000', countArgument, 50)
    .option('--after <place>', 'where the page begins, as the page before said');

/** `50` of a command line: how many are listed. */
export function countArgument(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 1000)
    throw new InvalidArgumentError(`${text} is not a number from 1 to 1000.`);
  return Number(text);
}

/** The lines of a page, and how to get the next one. */
export const linesOfPage = (lines: string[], next: string | null, none: string): string[] => [
  ...(lines.length === 0 ? [none] : lines),
  ...(next === null ? [] : [`There are more: --after "${next}"`]),
];
