import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type JournalLine, readLine } from './journal-lines.ts';

/** The files of a journal folder: `id` names the journal for ever, `<first sequence>.log` are its segments in order. */

export const segmentName = (first: number): string => `${String(first).padStart(16, '0')}.log`;

export interface Segment {
  path: string;
  /** Sequence of its first line. */
  first: number;
}

/** The journal's name in the database; made on the first start. */
export function journalId(folder: string): string {
  const path = join(folder, 'id');
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, `${randomUUID()}\n`, { flush: true });
    renameSync(`${path}.new`, path);
    syncFolder(folder);
  }
  return readFileSync(path, 'utf8').trim();
}

export function listSegments(folder: string): Segment[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}\.log$/.test(name))
    .toSorted()
    .map((name) => ({ path: join(folder, name), first: Number(name.slice(0, 16)) }));
}

/**
 * Reads every whole line in order. What follows the last whole line of a segment was cut off by a crash before its calls were
 * answered, and is left out. Throws when a line in the middle is damaged or missing: answered calls would go uncounted.
 */
export function readSegments(segments: readonly Segment[]): JournalLine[] {
  const lines: JournalLine[] = [];
  for (const segment of segments) {
    const texts = readFileSync(segment.path, 'latin1').split('\n');
    const whole = texts.map(readLine);
    const end = whole.findLastIndex((line) => line !== undefined) + 1;
    for (const [index, line] of whole.slice(0, end).entries()) {
      const last = lines.at(-1)?.sequence;
      // A line that reached the disk although the disk reported a fault was never answered; it was written again as the next segment's first.
      if (index === 0 && line !== undefined && line.sequence === last) lines.pop();
      else if (line === undefined || (last !== undefined && line.sequence !== last + 1)) {
        throw new Error(
          `The journal is damaged at ${segment.path}:${index + 1}. Answered calls would go uncounted. Restore the file, or move the whole folder away to give these calls to the customers for free.`,
        );
      }
      lines.push(line);
    }
  }
  return lines;
}

/** Makes new and renamed files of a folder survive a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
