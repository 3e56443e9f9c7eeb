import { closeSync, constants, fdatasync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { journalId, listSegments, readSegments, type RecoveredLines, segmentName, syncPath } from './files.ts';
import { writeLine, type EncodedKind } from './lines.ts';
import type { CallTally } from './store.ts';
import { KindSum } from './sums.ts';

/**
 * What was answered, written before the answer leaves: in the system's keeping at once, which no kill -9 undoes, and on the disk itself a
 * moment later. Calls that end in the same turn of the event loop are one line (decision 016).
 */
export interface Journal {
  id: string;
  /**
   * Called once, before anything is appended: the lines that the database, which has counted up to `counted`, does not know yet. Lines
   * that follow go on behind both. Throws when a line that was on the disk is damaged.
   */
  recover: (counted: number) => RecoveredLines;
  /** Sequence of the newest line. */
  position: () => number;
  /**
   * Writes a call, or takes one back (`calls` -1), at the end of this turn of the event loop; `done` is called when it is written, or with
   * the fault that kept it from there. Kinds are told apart by identity.
   */
  append: (kind: EncodedKind, calls: number, done?: WriteCallback) => void;
  /** Hands over, once, the calls that were written since the last time. */
  drainWritten: () => CallTally[];
  /** Everything up to a sequence is counted: files that hold nothing newer are deleted. */
  deleteCounted: (position: number) => void;
  /** Resolves when all that has been written by now is on the disk, and would survive a power cut. */
  synced: () => Promise<void>;
  /** Could the last line be written, and be brought to the disk? */
  healthy: () => boolean;
  /** Writes at once what was appended. */
  flush: () => void;
  /** Writes and syncs what is left. */
  close: () => Promise<void>;
}

/** When a line was written, by both clocks: epoch milliseconds, and those of the monotonic clock. */
export interface WrittenAt {
  nowMs: number;
  elapsedMs: number;
}

/** Told that a line was written, or of the fault that kept it from there. */
export type WriteCallback = (fault: Error | undefined, at: WrittenAt) => void;

const segmentBytes = 8 * 1024 * 1024;
const openFlags = constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY;
/** So long after a line the disk is asked to keep it, with all that came meanwhile. */
const syncAfterMs = 100;
/** A sync that takes longer is one of a disk that is not well. */
const longestSyncMs = 2000;
/** No more is written while the disk keeps none of it: it all stands in memory too, and a power cut would take it. */
const mostUnsyncedBytes = 4 * 1024 * 1024;
const lineEnd = Buffer.from('\n');
const bringToDisk = promisify(fdatasync);

/** Writes all of it, and answers where it ends. Throws what the system says. */
function writeAt(descriptor: number, bytes: Buffer, position: number): number {
  for (let start = 0; start < bytes.length;) {
    start += writeSync(descriptor, bytes, start, bytes.length - start, position + start);
  }
  return position + bytes.length;
}

/** Does what may fail where another fault is told already. */
function succeeds(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a journal folder, which this process must have locked. `now`: epoch milliseconds. `syncData` brings what was
 * written to a file to the disk, or rejects.
 */
export function openJournal(
  folder: string,
  now: () => number,
  syncData: (descriptor: number) => Promise<void> = bringToDisk,
): Journal {
  mkdirSync(folder, { recursive: true });
  const segments = listSegments(folder);
  let position = 0;
  /** Sequence of the newest line that is on the disk. */
  let durable = 0;
  let line: KindSum[] = [];
  let written: KindSum[] = [];
  const sums = new WeakMap<EncodedKind, KindSum>();
  let waiting: WriteCallback[] = [];
  let turnEnd: NodeJS.Immediate | undefined;
  let file: { descriptor: number; length: number } | undefined;
  /** The lines after `durable`. */
  let unsynced: Buffer[] = [];
  let unsyncedBytes = 0;
  let syncing: Promise<void> | undefined;
  let syncBegunMs = 0;
  let syncTimer: NodeJS.Timeout | undefined;
  /** A file that a sync may be using is closed after it. */
  let left: number[] = [];
  let canWrite = true;
  let canSync = true;

  const closeLeft = (): void => {
    if (syncing !== undefined) return;
    const toClose = left;
    left = [];
    for (const descriptor of toClose) succeeds(() => closeSync(descriptor));
  };

  const leaveSegment = (): void => {
    if (file !== undefined) left.push(file.descriptor);
    file = undefined;
    closeLeft();
  };

  /** Every start and every fault begins a new file. What the one before may have lost stands in it again. */
  const openSegment = (): { descriptor: number; length: number } => {
    const segment = { path: join(folder, segmentName(position + 1)), first: position + 1 };
    const descriptor = openSync(segment.path, openFlags, 0o666);
    try {
      const length = writeAt(descriptor, Buffer.concat(unsynced), 0);
      syncPath(folder);
      // A power cut may have left this name behind, and one after it, without a line.
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
    if (unsyncedBytes > mostUnsyncedBytes) throw new Error('the disk has kept nothing for too long');
    const bytes = Buffer.from(writeLine(position + 1, durable, calls, atMs), 'latin1');
    const target = file ?? openSegment();
    try {
      target.length = writeAt(target.descriptor, bytes, target.length);
    } catch (fault) {
      // These calls will not be answered, so nothing of their line may be found again; the next line replaces it in any case.
      if (!succeeds(() => ftruncateSync(target.descriptor, target.length))) leaveSegment();
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
      // The system may have dropped what it could not bring to the disk, and would not say so again.
      leaveSegment();
      succeeds(openSegment);
      throw fault;
    }
    // A file that was left meanwhile may have been begun anew under its name.
    if (file?.descriptor !== descriptor) return;
    durable = upTo;
    for (const bytes of unsynced.splice(0, lines)) unsyncedBytes -= bytes.length;
    if (file.length >= segmentBytes) leaveSegment();
  };

  const endSync = (success: boolean): void => {
    syncing = undefined;
    canSync = success;
    closeLeft();
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
      // A line end behind the last line is no line.
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
    const told = waiting;
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
      if (fault === undefined && sum.keepWritten(nowMs)) written.push(sum);
      sum.leaveLine();
    }
    canWrite = fault === undefined;
    syncSoon();
    const at = { nowMs, elapsedMs: performance.now() };
    for (const done of told) done(fault, at);
  };

  return {
    id: journalId(folder),
    recover: (counted) => {
      const replay = readSegments(segments, counted);
      // A process that was killed may have left its last lines in the system's keeping.
      const last = segments.at(-1);
      if (last !== undefined) syncPath(last.path);
      position = durable = Math.max(counted, replay.lines.at(-1)?.sequence ?? 0);
      return replay;
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
      while ((segments[1]?.first ?? Number.POSITIVE_INFINITY) <= counted + 1) {
        const segment = segments.shift();
        if (segment !== undefined) rmSync(segment.path, { force: true });
      }
    },
    flush,
    synced,
    healthy: () => canWrite && canSync && (syncing === undefined || performance.now() - syncBegunMs < longestSyncMs),
    close: async () => {
      flush();
      // Where the disk takes nothing, it all stands in its file none the less.
      await synced().catch(() => {});
      clearTimeout(syncTimer);
      leaveSegment();
    },
  };
}
