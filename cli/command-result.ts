/** What the exit code of `octroi` means. */
export const exitCodes = {
  /** The command did what was asked. */
  done: 0,
  /** It could not: the message says why. */
  failed: 1,
  /** The command line was wrong; nothing was done. */
  usage: 2,
  /** It did what was asked, and found faults, which it lists. */
  faults: 3,
} as const;

/** A command ended with this exit code; the message is shown without a stack. */
export class CommandFailed extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * A text with its control characters visible. Customers choose names and messages, and a terminal would obey them (ECMA-48). Those that
 * turn the direction of writing would show another text than is there.
 */
export function shownText(text: string): string {
  return text.replaceAll(
    /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Prints a CSV file to standard output as it is, so that it can be redirected into a file; or the result as JSON. */
export function printCsv(json: boolean | undefined, result: object, csv: string): void {
  if (json === true) printResult(json, result, []);
  else process.stdout.write(csv);
}

/** Prints a result: as JSON for programs, or as lines for people. */
export function printResult(json: boolean | undefined, result: object, lines: readonly string[]): void {
  const text = json === true ? JSON.stringify(result, null, 2) : lines.join('\n');
  process.stdout.write(`${shownText(text)}\n`);
}
