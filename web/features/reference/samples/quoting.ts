/** For a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** For JavaScript and PHP strings in single quotes, in which only the quote and the backslash mean something. */
export function singleQuoted(text: string): string {
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`);
  return `'${escaped}'`;
}

/** For Java and Python: JSON's escapes are theirs as well. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text);
}

/** Puts blanks before every line but the first. */
export function indented(text: string, blanks: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(blanks)}`);
}

/** The value of a JSON text; undefined when it is not valid. */
export function jsonOf(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
