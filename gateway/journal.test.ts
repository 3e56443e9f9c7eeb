import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockJournal } from './journal-lock.ts';
import { readLine, writeLine } from './journal-lines.ts';
import { type Journal, openJournal } from './journal.ts';
import type { CallTally } from './store.ts';
import { createDataDir } from './test-world.ts';

let folder: { path: string; remove: () => void };
beforeEach(() => {
  folder = createDataDir();
});
afterEach(() => folder.remove());

const call: CallTally = {
  activation: 'ACT-1',
  cycle: 'CYC-1',
  lease: '',
  key: 'KEY-1',
  day: '2026-11-21',
  class: 2,
  counted: true,
  calls: 1,
  lastMs: 1_790_000_000_000,
};
const append = (journal: Journal, calls = call): Promise<Error | undefined> =>
  new Promise((resolve) => journal.append(calls, resolve));
const total = (journal: Journal): number =>
  journal.found.flatMap((line) => line.calls).reduce((sum, each) => sum + each.calls, 0);
const lastFile = (): string =>
  join(folder.path, readdirSync(folder.path).findLast((name) => name.endsWith('.log')) ?? '');

test('what was appended is found again by the next process', async () => {
  const journal = openJournal(folder.path);
  await Promise.all(Array.from({ length: 50 }, () => append(journal)));
  await append(journal, { ...call, class: 5, counted: false });
  await journal.close();
  const again = openJournal(folder.path);
  expect(again.id).toBe(journal.id);
  expect(total(again)).toBe(51);
  await append(again);
  await again.close();
  expect(total(openJournal(folder.path))).toBe(52);
});

test('calls that come together share a line, and each of them waits for the disk', async () => {
  const journal = openJournal(folder.path);
  await Promise.all(Array.from({ length: 200 }, () => append(journal)));
  expect(journal.position()).toBe(1);
  expect(readFileSync(lastFile(), 'utf8')).toContain('"2026-11-21",2,1,200,');
  await journal.close();
});

/** As many calls as turns of the event loop, each appended in a turn of its own; resolves when all are on disk. */
async function appendInTurns(journal: Journal, turns: number): Promise<void> {
  const waiting: Promise<Error | undefined>[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    waiting.push(append(journal));
    await nextTurn();
  }
  await Promise.all(waiting);
}

test('while every turn of the event loop brings a call, all that follow the first go down in one write', async () => {
  const journal = openJournal(folder.path, 60_000);
  await appendInTurns(journal, 30);
  expect(journal.position()).toBe(2);
  await append(journal);
  expect(journal.position()).toBe(3);
  await journal.close();
  expect(total(openJournal(folder.path))).toBe(31);
});

test('calls without an end do not keep each other from the disk', async () => {
  const journal = openJournal(folder.path, 0);
  const first = vi.fn<() => void>();
  journal.append(call, first);
  // A call in every turn until the first one is told.
  for (let turns = 0; first.mock.calls.length === 0 && turns < 1_000_000; turns += 1) {
    journal.append(call);
    await nextTurn();
  }
  expect(first).toHaveBeenCalledExactlyOnceWith(undefined);
  await journal.close();
});

test('a tail that was cut off at any byte is left out, and the journal goes on behind it', async () => {
  const journal = openJournal(folder.path);
  for (let line = 0; line < 3; line += 1) await append(journal);
  await journal.close();
  const bytes = readFileSync(lastFile());
  const thirdLine = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
  for (let length = thirdLine; length < bytes.length - 1; length += 7) {
    writeFileSync(lastFile(), bytes.subarray(0, length));
    expect(total(openJournal(folder.path))).toBe(2);
  }
  writeFileSync(lastFile(), Buffer.concat([bytes.subarray(0, thirdLine), Buffer.alloc(500)]));
  const torn = openJournal(folder.path);
  expect(total(torn)).toBe(2);
  await append(torn);
  await torn.close();
  const after = openJournal(folder.path);
  expect(total(after)).toBe(3);
  expect(after.position()).toBe(3);
});

test('damage before the end is never passed over in silence', async () => {
  const journal = openJournal(folder.path);
  for (let line = 0; line < 3; line += 1) await append(journal);
  await journal.close();
  const whole = readFileSync(lastFile(), 'utf8');
  writeFileSync(lastFile(), whole.replace('ACT-1', 'ACT-2'));
  expect(() => openJournal(folder.path)).toThrow(/journal is damaged at .*:1\./);
  writeFileSync(lastFile(), whole.split('\n').toSpliced(1, 1).join('\n'));
  expect(() => openJournal(folder.path)).toThrow(/journal is damaged at .*:2\./);
});

test('files that are counted are deleted, and no others', async () => {
  const files = () => readdirSync(folder.path).filter((name) => name.endsWith('.log'));
  for (let run = 0; run < 3; run += 1) {
    const journal = openJournal(folder.path);
    await append(journal);
    await append(journal);
    await journal.close();
  }
  expect(files()).toHaveLength(3);
  const journal = openJournal(folder.path);
  journal.forget(3);
  expect(files()).toHaveLength(2);
  journal.forget(4);
  expect(files()).toHaveLength(1);
  journal.forget(6);
  expect(files()).toHaveLength(1);
});

test('a folder that was put back from an old copy never gives out a counted sequence again', async () => {
  const journal = openJournal(folder.path);
  journal.continueAfter(70);
  await append(journal);
  await journal.close();
  expect(openJournal(folder.path).found.map((line) => line.sequence)).toEqual([71]);
});

test('a disk that takes nothing is told to the caller, and the next call is written again', async () => {
  const journal = openJournal(join(folder.path, 'gone'));
  folder.remove();
  expect(await append(journal)).toBeInstanceOf(Error);
  expect(journal.healthy()).toBe(false);
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(folder.path, 'gone'), { recursive: true });
  expect(await append(journal)).toBeUndefined();
  expect(journal.healthy()).toBe(true);
  await journal.close();
});

test('a line survives writing and reading, and any changed character is noticed', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9-]{1,40}$/);
  const tally = fc.record({
    activation: id,
    cycle: id,
    key: id,
    lease: fc.oneof(fc.constant(''), id),
    day: fc.constant('2026-11-21'),
    class: fc.integer({ min: 1, max: 5 }),
    counted: fc.boolean(),
    calls: fc.integer({ min: -5, max: 1_000_000 }),
    lastMs: fc.nat(),
  });
  const line = fc.record({ sequence: fc.integer({ min: 1 }), calls: fc.array(tally, { minLength: 1, maxLength: 5 }) });
  fc.assert(
    fc.property(line, fc.nat(), (written, where) => {
      const text = writeLine(written).trimEnd();
      expect(readLine(text)).toEqual(written);
      const at = where % text.length;
      expect(readLine(`${text.slice(0, at)}~${text.slice(at + 1)}`)).toBeUndefined();
    }),
  );
});

test('a second process on the same journal is refused, and freed as soon as the first one ends', async () => {
  const free = await lockJournal(folder.path);
  await expect(lockJournal(folder.path)).rejects.toThrow(/Another gateway writes the journal in .*JOURNAL_DIR/);
  await free();
  await (
    await lockJournal(folder.path)
  )();
  appendFileSync(join(folder.path, 'id'), '');
});
