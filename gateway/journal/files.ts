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
import { type JournalLine, readLine, statedSequence } from './lines.ts';

/** The files of a journal folder: `id` is the permanent name of the journal, `<first sequence>.log` are its segments in order. */

export const segmentName = (first: number): string => `${String(first).padStart(16, '0')}.log`;

export interface Segment {
  path: string;
  /** Sequence of its first line. */
  first: number;
}

/** The journal's id in the database; created on the first start. */
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

/** Lines of a journal that the database has not counted yet. */
export interface RecoveredLines {
  /** In order of their sequence. */
  lines: JournalLine[];
  /** Number of missing lines between them, lost in a power cut before they were on the disk. */
  lost: number;
}

/**
 * Reads the lines after `counted`, the last one that the database has counted. A line in two files was written again after a disk error;
 * the later copy wins. An incomplete last line was cut off by a crash before its calls got their responses, so it is ignored. Throws if a
 * line that was on the disk is damaged or missing, because calls that got a response would not be counted.
 */
export function readSegments(segments: readonly Segment[], counted: number): RecoveredLines {
  const found = new Map<number, { line: JournalLine; location: string }>();
  let durable = 0;
  for (const segment of segments) {
    const texts = readFileSync(segment.path, 'latin1').split('\n');
    for (const [index, text] of texts.entries()) {
      if (statedSequence(text) <= counted) continue;
      const line = readLine(text);
      if (line === undefined) continue;
      durable = Math.max(durable, line.durable);
      found.set(line.sequence, { line, location: `${segment.path}:${index + 1}` });
    }
  }
  const all = [...found.values()].toSorted((a, b) => a.line.sequence - b.line.sequence);
  let lost = 0;
  // Counted files are deleted, so the first one may begin after `counted`.
  let expected = Math.max(counted + 1, Math.min(segments[0]?.first ?? 0, all[0]?.line.sequence ?? 0));
  for (const { line, location } of all) {
    if (line.sequence > expected && expected <= durable) {
      throw new Error(
        `The journal is damaged before ${location}, so calls of customers can't be counted. Restore the file, or move the whole folder away; these calls are then free.`,
      );
    }
    lost += line.sequence - expected;
    expected = line.sequence + 1;
  }
  return { lines: all.map(({ line }) => line), lost };
}

/** Syncs a file that another process may have written, or the directory entries of a folder. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
