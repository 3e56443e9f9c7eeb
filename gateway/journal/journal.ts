import { closeSync, constants, fdatasync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '#shared/platform/clock.ts';
import { makePrivateFolder } from '#shared/platform/make-folder.ts';
import { journalId, listSegments, readSegments, type RecoveredLines, segmentName, syncPath } from './files.ts';
import { writeLine, type EncodedKind } from './lines.ts';
import type { CallTally } from './store.ts';
import { KindSum } from './sums.ts';

/**
 * A log of calls, written before their responses are sent. Each line is in the page cache at once, where it survives kill -9, and is
 * synced to the disk a moment later. Calls that end in the same turn of the event loop share a line (decision 016).
 */
export interface Journal {
  id: string;
  /**
   * Must be called once, before the first append. Returns the lines after `counted`, the last one that the database has counted; new lines
   * continue after both. Throws if a line that was on the disk is damaged.
   */
  recover: (counted: number) => RecoveredLines;
  /** Reads the written lines after `after`, up to `upTo`, again. Throws if one of them is damaged. */
  reread: (after: number, upTo: number) => RecoveredLines;
  /** Sequence of the newest line. */
  position: () => number;
  /**
   * Writes calls, or takes one back (`calls` -1), at the end of this turn of the event loop. `done` is called when they are written, or with
   * the error that prevented it. Kinds are compared by identity.
   */
  append: (kind: EncodedKind, calls: number, done?: WriteCallback) => void;
  /** Returns the calls written since the last time. */
  drainWritten: () => CallTally[];
  /** Deletes files that hold only lines up to this position, some minutes after the last of them was written. */
  deleteCounted: (position: number) => void;
  /** Resolves when everything written so far is on the disk and would survive a power cut. */
  synced: () => Promise<void>;
  /** Did the last write and the last sync succeed in time? */
  healthy: () => boolean;
  /** Writes appended calls immediately. */
  flush: () => void;
  /** Writes and syncs the rest. */
  close: () => Promise<void>;
}

/** When a line was written, in epoch milliseconds (`nowMs`) and by the monotonic clock (`elapsedMs`). */
export interface WrittenAt {
  nowMs: number;
  elapsedMs: number;
}

/** Receives the error if the line couldn't be written. */
export type WriteCallback = (fault: Error | undefined, at: WrittenAt) => void;

const segmentBytes = 8 * 1024 * 1024;
const openFlags = constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY;
/** Delay between writing a line and syncing it, with everything written meanwhile. */
const syncAfterMs = 100;
/** A disk that takes longer for a sync counts as unhealthy. */
const slowSyncMs = 2000;
/** Writing stops when syncs have failed for this much: it is also held in memory, and a power cut would lose it. */
const maxUnsyncedBytes = 4 * 1024 * 1024;
/** A database that fails over may have lost what it has counted, by a few seconds (decision 057). */
export const keepCountedMs = 5 * 60_000;
const lineEnd = Buffer.from('\n');
const sync = promisify(fdatasync);

/** Writes all bytes and returns the position after them. */
function writeAt(descriptor: number, bytes: Buffer, position: number): number {
  for (let start = 0; start < bytes.length;) {
    start += writeSync(descriptor, bytes, start, bytes.length - start, position + start);
  }
  return position + bytes.length;
}

/** Runs clean-up that may fail after another error. */
function succeeds(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** Opens a journal folder, which this process must have locked. `now`: epoch milliseconds; `syncData`: replaces fdatasync in tests. */
export function openJournal(
  folder: string,
  now: () => number,
  syncData: (descriptor: number) => Promise<void> = sync,
): Journal {
  makePrivateFolder(folder);
  const segments = listSegments(folder);
  let position = 0;
  /** Sequence of the newest line on the disk. */
  let durable = 0;
  let line: KindSum[] = [];
  let written: KindSum[] = [];
  const sums = new WeakMap<EncodedKind, KindSum>();
  let waiting: WriteCallback[] = [];
  let turnEnd: NodeJS.Immediate | undefined;
  let file: { descriptor: number; length: number } | undefined;
  /** The lines after `durable`, to be written again if a sync fails. */
  let unsynced: Buffer[] = [];
  let unsyncedBytes = 0;
  let syncing: Promise<void> | undefined;
  let syncBegunMs = 0;
  let syncTimer: NodeJS.Timeout | undefined;
  /** Files to close once no sync uses them. */
  let filesToClose: number[] = [];
  let canWrite = true;
  let canSync = true;
  /** Lines up to this one have gaps, so they can't be read a second time. */
  let gapsUpTo = 0;

  const closeFiles = (): void => {
    if (syncing !== undefined) return;
    const closing = filesToClose;
    filesToClose = [];
    for (const descriptor of closing) succeeds(() => closeSync(descriptor));
  };

  const closeSegment = (): void => {
    if (file !== undefined) filesToClose.push(file.descriptor);
    file = undefined;
    closeFiles();
  };

  /** Every start and every disk error begins a new file, which repeats the lines that the previous one may have lost. */
  const openSegment = (): { descriptor: number; length: number } => {
    const segment = { path: join(folder, segmentName(position + 1)), first: position + 1 };
    const descriptor = openSync(segment.path, openFlags, 0o600);
    try {
      const length = writeAt(descriptor, Buffer.concat(unsynced), 0);
      syncPath(folder);
      // A power cut may have left empty files with this name or the next.
      const before = segments.findIndex(({ path }) => path === segment.path);
      if (before !== -1) segments.splice(before, 1);
      segments.push(segment);
      return (file = { descriptor, length });
    } catch (fault) {
      closeSync(descriptor);
      throw fault;
    }
  };

  const writeGroup = (calls: readonly KindSum[], atMs: number): void => {
    if (unsyncedBytes > maxUnsyncedBytes) throw new Error('nothing could be synced to the disk for too long');
    const bytes = Buffer.from(writeLine(position + 1, durable, calls, atMs), 'latin1');
    const target = file ?? openSegment();
    try {
      target.length = writeAt(target.descriptor, bytes, target.length);
    } catch (fault) {
      // These calls get an error instead of their response, so remove what was written of their line. The next line overwrites it anyway.
      if (!succeeds(() => ftruncateSync(target.descriptor, target.length))) closeSegment();
      throw fault;
    }
    unsynced.push(bytes);
    unsyncedBytes += bytes.length;
    position += 1;
  };

  const syncOnce = async (): Promise<void> => {
    const { descriptor } = file ?? openSegment();
    const [upTo, lines] = [position, unsynced.length];
    try {
      await syncData(descriptor);
    } catch (fault) {
      // After a failed sync, the kernel may drop the dirty pages and report success next time. So the lines go to a new file.
      closeSegment();
      succeeds(openSegment);
      throw fault;
    }
    // The file may have been replaced meanwhile by a new one with the same name.
    if (file?.descriptor !== descriptor) return;
    durable = upTo;
    for (const bytes of unsynced.splice(0, lines)) unsyncedBytes -= bytes.length;
    if (file.length >= segmentBytes) closeSegment();
  };

  const endSync = (success: boolean): void => {
    syncing = undefined;
    canSync = success;
    closeFiles();
  };

  const syncTo = async (sequence: number): Promise<void> => {
    if (durable >= sequence) return;
    if (syncing === undefined) syncBegunMs = performance.now();
    syncing ??= syncOnce().then(
      () => endSync(true),
      (fault: unknown) => {
        endSync(false);
        throw fault;
      },
    );
    await syncing;
    await syncTo(sequence);
  };

  const synced = (): Promise<void> => syncTo(position);

  const syncSoon = (): void => {
    syncTimer ??= setTimeout(() => {
      syncTimer = undefined;
      // Tests whether writing works again. An empty line is ignored on recovery.
      canWrite ||= succeeds(() => {
        const { descriptor, length } = file ?? openSegment();
        writeAt(descriptor, lineEnd, length);
      });
      synced()
        .catch(() => {})
        .finally(() => {
          if (!canWrite || durable < position) syncSoon();
        });
    }, syncAfterMs).unref();
  };

  const flush = (): void => {
    clearImmediate(turnEnd);
    turnEnd = undefined;
    if (line.length === 0) return;
    const calls = line;
    const callbacks = waiting;
    line = [];
    waiting = [];
    const nowMs = now();
    let fault: Error | undefined;
    try {
      writeGroup(calls, nowMs);
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error));
    }
    for (const sum of calls) {
      if (fault === undefined && sum.markWritten(nowMs)) written.push(sum);
      sum.startLine();
    }
    canWrite = fault === undefined;
    syncSoon();
    const at = { nowMs, elapsedMs: performance.now() };
    for (const done of callbacks) done(fault, at);
  };

  /** Reads only files that may have lines after `counted`: there may be many of those that are kept. */
  const readAfter = (counted: number): RecoveredLines =>
    readSegments(
      segments.filter((_, index) => (segments[index + 1]?.first ?? Infinity) > counted + 1),
      counted,
    );

  return {
    id: journalId(folder),
    recover: (counted) => {
      const replay = readAfter(counted);
      // The last lines of a killed process may still be in the page cache only.
      const last = segments.at(-1);
      if (last !== undefined) syncPath(last.path);
      position = durable = Math.max(counted, replay.lines.at(-1)?.sequence ?? 0);
      if (replay.lost > 0) gapsUpTo = position;
      return replay;
    },
    reread: (after, upTo) => {
      const { lines, lost } = readAfter(after);
      return { lines: lines.filter((each) => each.sequence <= upTo), lost };
    },
    position: () => position,
    append: (kind, calls, done) => {
      let sum = sums.get(kind);
      if (sum === undefined) sums.set(kind, (sum = new KindSum(kind)));
      if (sum.add(calls)) line.push(sum);
      if (done !== undefined) waiting.push(done);
      turnEnd ??= setImmediate(flush);
    },
    drainWritten: () => {
      const taken = written;
      written = [];
      return taken.map((sum) => sum.drainWritten());
    },
    deleteCounted: (counted) => {
      for (let [segment, next] = segments; segment && next && next.first <= counted + 1; [segment, next] = segments) {
        const { mtimeMs = 0 } = statSync(segment.path, { throwIfNoEntry: false }) ?? {};
        if (next.first > gapsUpTo + 1 && mtimeMs > systemClock() - keepCountedMs) return;
        rmSync(segment.path, { force: true });
        segments.shift();
      }
    },
    flush,
    synced,
    healthy: () => canWrite && canSync && (syncing === undefined || performance.now() - syncBegunMs < slowSyncMs),
    close: async () => {
      flush();
      // If the sync fails, the lines are at least in the page cache.
      await synced().catch(() => {});
      clearTimeout(syncTimer);
      closeSegment();
    },
  };
}
