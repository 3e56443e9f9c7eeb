import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTempDir } from '#gateway/test/world.ts';
import { type Journal, keepCountedMs, openJournal } from './journal.ts';
import { encodeKind } from './lines.ts';

/** The files of a journal whose lines the database has counted. */
let folder: { path: string; remove: () => void };
beforeEach(() => {
  folder = createTempDir();
});
afterEach(() => folder.remove());

const kind = encodeKind({
  activation: 'ACT-1',
  cycle: 'CYC-1',
  lease: '',
  key: 'KEY-1',
  day: '2026-11-21',
  class: 2,
  counted: true,
  units: 1,
});

function open(counted = 0) {
  const journal = openJournal(folder.path, () => 1_790_000_000_000);
  return { journal, ...journal.recover(counted) };
}
async function append(journal: Journal, lines: number): Promise<void> {
  for (let line = 0; line < lines; line += 1) await new Promise((resolve) => journal.append(kind, 1, resolve));
}
const files = (): string[] => readdirSync(folder.path).filter((name) => name.endsWith('.log'));

/** Makes all files as old as if their last line had been written just too long ago to be kept. */
function age(): void {
  const writtenAt = (Date.now() - keepCountedMs) / 1000 - 1;
  for (const name of files()) utimesSync(join(folder.path, name), writtenAt, writtenAt);
}

async function writeFiles(count: number): Promise<Journal> {
  for (let run = 0; run < count; run += 1) {
    const { journal } = open();
    await append(journal, 2);
    await journal.close();
  }
  expect(files()).toHaveLength(count);
  return open().journal;
}

test('deletes old files that are counted, and no others', async () => {
  const journal = await writeFiles(3);
  age();
  journal.deleteCounted(3);
  expect(files()).toHaveLength(2);
  journal.deleteCounted(4);
  expect(files()).toHaveLength(1);
  journal.deleteCounted(6);
  expect(files()).toHaveLength(1);
});

test('lines that were counted can be read again for some minutes', async () => {
  const journal = await writeFiles(3);
  await append(journal, 1);
  journal.deleteCounted(7);
  const sequences = (after: number, upTo: number): number[] =>
    journal.reread(after, upTo).lines.map((line) => line.sequence);
  expect(sequences(1, 7)).toEqual([2, 3, 4, 5, 6, 7]);
  expect(sequences(4, 5)).toEqual([5]);
  age();
  journal.deleteCounted(7);
  expect(sequences(1, 7)).toEqual([7]);
  await journal.close();
});

test('files with lines that a power cut has lost are not kept, since they could not be read a second time', async () => {
  const { journal } = open();
  await append(journal, 3);
  await journal.close();
  const path = join(folder.path, files()[0] ?? '');
  const [first = '', , third = ''] = readFileSync(path, 'latin1').split('\n');
  writeFileSync(path, `${first}\n${third}\n`);
  const after = open();
  expect(after.lost).toBe(1);
  await append(after.journal, 1);
  after.journal.deleteCounted(4);
  expect(files()).toHaveLength(1);
  await after.journal.close();
  expect(open(1).lines).toHaveLength(1);
});
