import { close, closeSync, constants, ftruncate, mkdirSync, openSync, rmSync, write } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { journalId, listSegments, readSegments, segmentName, syncFolder } from './journal-files.ts';
import { type JournalLine, writeLine } from './journal-lines.ts';
import type { CallTally } from './store.ts';

/**
 * What was answered, on disk before the answer leaves. Calls that come while the disk is busy, or one after the other without a pause, go
 * down together as the next line, so that a sync is shared by all who wait for it.
 */
export interface Journal {
  id: string;
  /** Lines that were there when the journal was opened. */
  found: JournalLine[];
  /** Sequence of the newest line that is on disk. */
  position: () => number;
  /** Never gives out a sequence that the database has counted already (the folder was restored from an old copy). */
  continueAfter: (position: number) => void;
  /** Writes a call; `done` is called when it is on disk, or with the fault that kept it from there. */
  append: (call: CallTally, done?: (fault?: Error) => void) => void;
  /** Hands over, once, the calls that reached the disk since the last time. */
  takeWritten: () => CallTally[];
  /** Everything up to a sequence is counted: files that hold nothing newer are deleted. */
  forget: (position: number) => void;
  /** Waits until all that was appended is on disk. */
  flushed: () => Promise<void>;
  /** Could the last line be written? */
  healthy: () => boolean;
  close: () => Promise<void>;
}

const segmentBytes = 8 * 1024 * 1024;
/** Each write returns when its bytes are on the disk: one way to the disk and back instead of two, for write and fdatasync. */
const openFlags = constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY | (constants.O_DSYNC ?? constants.O_SYNC);
const truncateFile = promisify(ftruncate);
const closeFile = promisify(close);

function addTo(tally: CallTally, call: CallTally): void {
  tally.calls += call.calls;
  tally.lastMs = Math.max(tally.lastMs, call.lastMs);
}

/** Adds a call to those of the same kind. */
export function addCall(tallies: Map<string, CallTally>, call: CallTally): CallTally {
  const kind = `${call.key} ${call.lease} ${call.cycle} ${call.day} ${call.class} ${call.counted}`;
  let tally = tallies.get(kind);
  if (tally === undefined) tallies.set(kind, (tally = { ...call }));
  else addTo(tally, call);
  return tally;
}

function isSameKind(a: CallTally, b: CallTally): boolean {
  return (
    a.key === b.key &&
    a.lease === b.lease &&
    a.class === b.class &&
    a.counted === b.counted &&
    a.cycle === b.cycle &&
    a.day === b.day
  );
}

/** Resolves when all bytes are on the disk. */
function writeThrough(descriptor: number, bytes: Buffer, position: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const writeFrom = (start: number): void => {
      write(descriptor, bytes, start, bytes.length - start, position + start, (fault, length) => {
        if (fault !== null) reject(fault);
        else if (start + length < bytes.length) writeFrom(start + length);
        else resolve();
      });
    };
    writeFrom(0);
  });
}

/**
 * Opens a journal folder, which this process must have locked. `longestGatherMs`: calls wait for others so long at most, when there is no
 * end of them. Throws when its lines are damaged.
 */
export function openJournal(folder: string, longestGatherMs = 4): Journal {
  mkdirSync(folder, { recursive: true });
  const segments = listSegments(folder);
  const found = readSegments(segments);
  let position = found.at(-1)?.sequence ?? 0;
  let group = new Map<string, CallTally>();
  /** The group's tally that was added to last: most calls are of the same kind as the one before. */
  let newest: CallTally | undefined;
  let written = new Map<string, CallTally>();
  let waiting: ((fault?: Error) => void)[] = [];
  let file: { descriptor: number; length: number } | undefined;
  let healthy = true;
  let writing: Promise<void> | undefined;
  let appended = 0;

  // Every start begins a new file, so that a torn tail is always the end of its file.
  const fileForNextLine = async (): Promise<{ descriptor: number; length: number }> => {
    if (file !== undefined && file.length < segmentBytes) return file;
    if (file !== undefined) await closeFile(file.descriptor);
    file = undefined;
    const segment = { path: join(folder, segmentName(position + 1)), first: position + 1 };
    const descriptor = openSync(segment.path, openFlags, 0o666);
    syncFolder(folder);
    if (segments.at(-1)?.path !== segment.path) segments.push(segment);
    file = { descriptor, length: 0 };
    return file;
  };

  const writeGroup = async (calls: CallTally[]): Promise<void> => {
    const target = file !== undefined && file.length < segmentBytes ? file : await fileForNextLine();
    const bytes = Buffer.from(writeLine({ sequence: position + 1, calls }), 'latin1');
    try {
      await writeThrough(target.descriptor, bytes, target.length);
    } catch (fault) {
      // These calls will not be answered, so their line must go; if it can't, the next line replaces it in a new file.
      await truncateFile(target.descriptor, target.length).catch(() => {});
      closeSync(target.descriptor);
      file = undefined;
      throw fault;
    }
    target.length += bytes.length;
    position += 1;
  };

  /**
   * Waits while calls still come in, so that they share a write, which costs as much for one as for fifty. A process with nothing else
   * to do writes at once: then no turn of its event loop brings another call.
   */
  const gather = async (): Promise<void> => {
    const deadline = performance.now() + longestGatherMs;
    for (let before = -1; before < appended && performance.now() < deadline;) {
      before = appended;
      await nextTurn();
    }
  };

  const writeAll = async (): Promise<void> => {
    while (group.size > 0) {
      await gather();
      const calls = [...group.values()];
      const told = waiting;
      group = new Map();
      newest = undefined;
      waiting = [];
      let fault: Error | undefined;
      try {
        await writeGroup(calls);
        for (const call of calls) addCall(written, call);
      } catch (error) {
        fault = error instanceof Error ? error : new Error(String(error));
      }
      healthy = fault === undefined;
      for (const done of told) done(fault);
    }
    writing = undefined;
  };

  return {
    id: journalId(folder),
    found,
    position: () => position,
    continueAfter: (counted) => {
      position = Math.max(position, counted);
    },
    append: (call, done) => {
      if (newest !== undefined && isSameKind(newest, call)) addTo(newest, call);
      else newest = addCall(group, call);
      appended += 1;
      if (done !== undefined) waiting.push(done);
      writing ??= writeAll();
    },
    takeWritten: () => {
      const calls = [...written.values()];
      written = new Map();
      return calls;
    },
    forget: (counted) => {
      while ((segments[1]?.first ?? Number.POSITIVE_INFINITY) <= counted + 1) {
        const segment = segments.shift();
        if (segment !== undefined) rmSync(segment.path, { force: true });
      }
    },
    healthy: () => healthy,
    flushed: async () => {
      await writing;
    },
    close: async () => {
      await writing;
      if (file !== undefined) await closeFile(file.descriptor);
      file = undefined;
    },
  };
}
