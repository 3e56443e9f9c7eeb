const pieces = [
  '<a ',
  '[',
  '![',
  '<',
  '</',
  '<!--',
  '<p ',
  'href="x" ',
  '](',
  '[a](',
  '[x]:',
  '[^',
  '()',
  '{',
  '/',
  'http://',

  ' ',
  '\n',
  '\t',
  '\r\n',
  '`',
  '```',
  '`a',
  '*',
  'a*',
  '**a',
  '_a ',
  '~~',
  '|',
  '> ',
  '- a\n',
  '1. ',
  '#',
  '\\',
  '-',
  '.',
];
const starts = ['', '<a ', '[', '[a]('];
/** Shorter times say nothing. */
const leastMs = 30;

function timeOf(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  read(text);
  return process.cpuUsage(before).user / 1000;
}

function growsFast(read: (text: string) => unknown, text: (length: number) => string, most: number): boolean {
  let before = Infinity;
  for (let length = most / 16; length <= most; length *= 2) {
    const took = timeOf(read, text(length));
    const again = () => timeOf(read, text(length)) / timeOf(read, text(length / 2));
    // A slow machine is slow once, and not in proportion.
    if (took > leastMs && took > 3 * before && Math.min(again(), again(), again()) > 2.8) return true;
    before = Math.max(took, leastMs / 3);
  }
  return false;
}

/** Of texts up to this length that strangers could write, those for which twice the text takes `read` much more than twice the time. */
export const slowTexts = (read: (text: string) => unknown, most = 400_000): string[] =>
  starts.flatMap((start) =>
    pieces
      .filter((piece) => growsFast(read, (length) => `${start}${piece.repeat(length / piece.length)}x`, most))
      .map((piece) => `${start}${piece}…`),
  );
