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
import { type JournalLine, readLine } from './lines.ts';

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
    syncPath(folder);
  }
  return readFileSync(path, 'utf8').trim();
}

export function listSegments(folder: string): Segment[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}\.log$/.test(name))
    .toSorted()
    .map((name) => ({ path: join(folder, name), first: Number(name.slice(0, 16)) }));
}

/** What a journal holds that is not counted yet. */
export interface RecoveredLines {
  /** In order. */
  lines: JournalLine[];
  /** Lines between them that a power cut took before they were on the disk. */
  lost: number;
}

/**
 * Reads the lines after `counted`, the last that the database has counted. A line that stands in two files (it was written again after a
 * fault) is taken from the later one. What follows the last whole line was cut off by a crash before its calls were answered. Throws
 * when a line is damaged or missing that was on the disk: answered calls would go uncounted.
 */
export function readSegments(segments: readonly Segment[], counted: number): RecoveredLines {
  const found = new Map<number, { line: JournalLine; place: string }>();
  let durable = 0;
  for (const segment of segments) {
    const texts = readFileSync(segment.path, 'latin1').split('\n');
    for (const [index, text] of texts.entries()) {
      const line = readLine(text);
      if (line === undefined) continue;
      durable = Math.max(durable, line.durable);
      if (line.sequence > counted) found.set(line.sequence, { line, place: `${segment.path}:${index + 1}` });
    }
  }
  const all = [...found.values()].toSorted((a, b) => a.line.sequence - b.line.sequence);
  let lost = 0;
  // Files that the database has counted are deleted, so the first one may begin later.
  let expected = Math.max(counted + 1, Math.min(segments[0]?.first ?? 0, all[0]?.line.sequence ?? 0));
  for (const { line, place } of all) {
    if (line.sequence > expected && expected <= durable) {
      throw new Error(
        `The journal is damaged before ${place}. Answered calls would go uncounted. Restore the file, or move the whole folder away to give these calls to the customers for free.`,
      );
    }
    lost += line.sequence - expected;
    expected = line.sequence + 1;
  }
  return { lines: all.map(({ line }) => line), lost };
}

/** Brings a file that another process may have written to the disk, or the names of a folder's files. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
