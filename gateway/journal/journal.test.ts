import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTempDir } from '#gateway/test/world.ts';
import { type Journal, openJournal } from './journal.ts';
import { encodeKind } from './lines.ts';
import { lockJournal } from './lock.ts';
import type { CallKind } from './store.ts';

let folder: { path: string; remove: () => void };
beforeEach(() => {
  folder = createTempDir();
  // Nothing is synced unless a test does it.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  folder.remove();
});

const fields: CallKind = {
  activation: 'ACT-1',
  cycle: 'CYC-1',
  lease: '',
  key: 'KEY-1',
  day: '2026-11-21',
  class: 2,
  counted: true,
  units: 1,
};
const kind = encodeKind(fields);

function open(path = folder.path, counted = 0, syncData?: (descriptor: number) => Promise<void>) {
  const journal = openJournal(path, () => 1_790_000_000_000, syncData);
  const { lines, lost } = journal.recover(counted);
  const calls = lines.flatMap((line) => line.calls).reduce((sum, each) => sum + each.calls, 0);
  return { journal, lines, lost, calls };
}
const append = (journal: Journal, of = kind): Promise<Error | undefined> =>
  new Promise((resolve) => journal.append(of, 1, resolve));
const files = (path = folder.path): string[] => readdirSync(path).filter((name) => name.endsWith('.log'));
const lastFile = (path = folder.path): string => join(path, files(path).at(-1) ?? '');

test('the next process recovers everything that was appended', async () => {
  const { journal } = open();
  await Promise.all(Array.from({ length: 50 }, () => append(journal)));
  await append(journal, encodeKind({ ...fields, class: 5, counted: false }));
  await journal.close();
  const again = open();
  expect(again.journal.id).toBe(journal.id);
  expect(again.calls).toBe(51);
  await append(again.journal);
  await again.journal.close();
  expect(open().calls).toBe(52);
  expect(open(folder.path, 2).calls).toBe(1);
});

test('no other user reads a journal, also one in a folder that stood open', async () => {
  const { path } = folder;
  const isClosed = () => (statSync(path).mode & 0o066) === 0;
  chmodSync(path, 0o755);
  await (
    await lockJournal(path)
  )();
  expect(isClosed()).toBe(true);
  chmodSync(path, 0o755);
  const { journal } = open();
  expect(isClosed()).toBe(true);
  await append(journal);
  await journal.close();
  expect(files().map((file) => statSync(join(path, file)).mode & 0o077)).toEqual([0]);
});

test('calls of one turn of the event loop share a line, and callbacks run after it is written', async () => {
  const { journal } = open();
  const recoveredAtCallback: number[] = [];
  for (let call = 0; call < 200; call += 1) {
    journal.append(kind, 1, () => recoveredAtCallback.push(open().calls));
  }
  expect(recoveredAtCallback).toEqual([]);
  await append(journal);
  expect(recoveredAtCallback).toEqual(Array.from({ length: 200 }, () => 201));
  expect(journal.position()).toBe(1);
  expect(readFileSync(lastFile(), 'utf8')).toContain('"2026-11-21",2,1,201,');
  await journal.close();
});

test('written lines are synced together a moment later', async () => {
  vi.useRealTimers();
  const { journal } = open();
  await append(journal);
  await append(journal);
  await vi.waitUntil(
    async () => {
      await append(journal);
      return open().lines.at(-1)?.durable !== 0;
    },
    { timeout: 60_000 },
  );
  expect(open().lines.at(-1)?.durable).toBeGreaterThanOrEqual(2);
  await journal.close();
});

test('ignores an incomplete last line, cut off at any byte, and continues after it', async () => {
  const { journal } = open();
  for (let line = 0; line < 3; line += 1) await append(journal);
  await journal.close();
  const bytes = readFileSync(lastFile());
  const thirdLine = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
  for (let length = thirdLine; length < bytes.length - 1; length += 7) {
    writeFileSync(lastFile(), bytes.subarray(0, length));
    expect(open().calls).toBe(2);
  }
  writeFileSync(lastFile(), Buffer.concat([bytes.subarray(0, thirdLine), Buffer.alloc(500)]));
  const torn = open();
  expect(torn.calls).toBe(2);
  await append(torn.journal);
  await torn.journal.close();
  const after = open();
  expect(after.calls).toBe(3);
  expect(after.journal.position()).toBe(3);
});

test('throws if a line that was on the disk is damaged or missing', async () => {
  const { journal } = open();
  for (let line = 0; line < 3; line += 1) {
    await append(journal);
    await journal.synced();
  }
  await journal.close();
  const whole = readFileSync(lastFile(), 'utf8');
  writeFileSync(lastFile(), whole.replace('ACT-1', 'ACT-2'));
  expect(() => open()).toThrow(/journal is damaged before .*:2, so calls of customers can't be counted/);
  writeFileSync(lastFile(), whole.split('\n').toSpliced(1, 1).join('\n'));
  expect(() => open()).toThrow(/journal is damaged before .*:2,/);
  expect(open(folder.path, 2).calls).toBe(1);
});

test('a power cut loses only unsynced lines, whichever pages reached the disk', async () => {
  const page = 4096;
  const writes = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constant('line') }, fc.constant('sync')), {
    minLength: 1,
    maxLength: 150,
  });
  await fc.assert(
    fc.asyncProperty(writes, fc.infiniteStream(fc.boolean()), fc.nat(), async (steps, kept, cut) => {
      const path = join(folder.path, String(readdirSync(folder.path).length));
      const { journal } = open(path);
      let [durable, safeBytes] = [0, 0];
      for (const step of steps) {
        if (step === 'line') {
          journal.append(kind, journal.position() + 1);
          journal.flush();
        } else if (journal.position() > 0) {
          await journal.synced();
          [durable, safeBytes] = [journal.position(), readFileSync(lastFile(path)).length];
        }
      }
      const written = journal.position();
      await journal.close();
      if (written === 0) return;
      const bytes = readFileSync(lastFile(path));
      for (let start = safeBytes; start < bytes.length;) {
        const end = Math.min((Math.floor(start / page) + 1) * page, bytes.length);
        if (kept.next().value !== true) bytes.fill(0, start, end);
        start = end;
      }
      writeFileSync(lastFile(path), bytes.subarray(0, safeBytes + (cut % (bytes.length - safeBytes + 1))));

      const after = open(path);
      const found = after.lines.map(({ sequence }) => sequence);
      expect(found.slice(0, durable)).toEqual(Array.from({ length: durable }, (_, index) => index + 1));
      for (const { sequence, calls } of after.lines) expect(calls[0]?.calls).toBe(sequence);
      expect(after.lost).toBe(after.journal.position() - found.length);
      // New lines continue after all recovered ones, and the next process recovers them too.
      after.journal.append(kind, 1);
      await after.journal.close();
      expect(open(path, after.journal.position() - 1).calls).toBe(1);
    }),
    { numRuns: 60 },
  );
});

test('after a failed sync, lines are written to a new file and counted once', async () => {
  const disk = { fails: false };
  const syncData = async (): Promise<void> => {
    if (disk.fails) throw new Error('EIO');
  };
  const { journal } = open(folder.path, 0, syncData);
  await append(journal);
  await journal.synced();
  await append(journal);
  const first = lastFile();
  disk.fails = true;
  await expect(journal.synced()).rejects.toThrow('EIO');
  expect(journal.healthy()).toBe(false);
  disk.fails = false;
  await append(journal);
  await journal.synced();
  expect(journal.healthy()).toBe(true);
  expect(lastFile()).not.toBe(first);
  expect(open().calls).toBe(3);
  // As if the kernel had dropped the second line from the first file.
  const text = readFileSync(first, 'utf8');
  writeFileSync(first, text.slice(0, text.indexOf('\n') + 1));
  expect(open().calls).toBe(3);
  await journal.close();
});

test('deleting empty files, left by a disk error and a power cut, never deletes the file in use', async () => {
  const { journal } = open();
  await append(journal);
  await journal.close();
  const failing = open(folder.path, 1, () => Promise.reject(new Error('EIO')));
  await append(failing.journal);
  await expect(failing.journal.synced()).rejects.toThrow('EIO');
  await failing.journal.close();
  expect(files()).toHaveLength(3);
  for (const name of files().slice(1)) writeFileSync(join(folder.path, name), '');
  const after = open(folder.path, 1);
  await append(after.journal);
  after.journal.deleteCounted(2);
  await append(after.journal);
  expect(open(folder.path, 1).calls).toBe(2);
  await after.journal.close();
});

test('while syncs fail, unsynced lines are limited to 4 MB, and writing resumes after the next sync', async () => {
  const disk = { fails: true };
  const { journal } = open(folder.path, 0, () => (disk.fails ? Promise.reject(new Error('EIO')) : Promise.resolve()));
  const long = encodeKind({ ...fields, activation: 'A'.repeat(1024 * 1024) });
  const errors: (Error | undefined)[] = [];
  for (let line = 0; line < 8; line += 1) errors.push(await append(journal, long));
  expect(errors.findIndex((error) => error !== undefined)).toBe(4);
  expect(journal.healthy()).toBe(false);
  disk.fails = false;
  await journal.synced();
  expect(await append(journal)).toBeUndefined();
  expect(journal.healthy()).toBe(true);
  expect(open().calls).toBe(5);
  await journal.close();
});

/** A journal whose writes failed and work again. */
async function openAfterFault() {
  const path = join(folder.path, 'removed');
  const { journal } = open(path);
  folder.remove();
  expect(await append(journal)).toBeInstanceOf(Error);
  expect(journal.healthy()).toBe(false);
  mkdirSync(path, { recursive: true });
  return { journal, path };
}

test('the journal becomes healthy again after a write error, even without calls', async () => {
  vi.useRealTimers();
  const { journal } = await openAfterFault();
  await expect.poll(() => journal.healthy()).toBe(true);
  await journal.close();
});

test('a large file is followed by a new one, without lost or repeated lines', async () => {
  const { journal } = open();
  const long = encodeKind({ ...fields, activation: 'A'.repeat(1024 * 1024) });
  for (let line = 0; line < 20; line += 1) {
    await append(journal, long);
    if (line % 3 === 0) await journal.synced();
  }
  expect(files().length).toBeGreaterThan(1);
  expect(open().calls).toBe(20);
  await journal.close();
  expect(open().calls).toBe(20);
});

test('a folder restored from an old copy never reuses a counted sequence', async () => {
  const { journal } = open(folder.path, 70);
  await append(journal);
  await journal.close();
  expect(open(folder.path, 70).lines.map((line) => line.sequence)).toEqual([71]);
  // The database may also be an old copy. Its lost counts cannot be recovered.
  expect(open(folder.path, 60)).toMatchObject({ calls: 1, lost: 0 });
});

test('a failed write is reported to its callback, and the next call is written', async () => {
  const { journal, path } = await openAfterFault();
  expect(await append(journal)).toBeUndefined();
  expect(journal.healthy()).toBe(true);
  await journal.close();
  expect(open(path).calls).toBe(1);
});
