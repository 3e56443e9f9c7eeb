import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { writeWholeFile } from './whole-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-whole-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('two commands that write the same file at the same time leave one whole file, and nothing unfinished', async () => {
  const file = join(folder, 'month.zip');
  const [first, second] = ['of the first', 'of the second, and longer'];
  await writeWholeFile(file, async (write) => {
    await writeWholeFile(file, (writeSecond) => writeSecond(Readable.from([second])));
    expect(readFileSync(file, 'utf8')).toBe(second);
    await write(Readable.from([first]));
    expect(readFileSync(file, 'utf8')).toBe(second);
  });
  expect(readFileSync(file, 'utf8')).toBe(first);
  expect(readdirSync(folder)).toEqual(['month.zip']);
});

test('what a killed command left of a file is removed a day later, and nothing else', async () => {
  const file = join(folder, 'customer.zip');
  const old = new Date(Date.now() - 25 * 3_600_000);
  const others = ['customer.zip.0123456789ab.part', 'customer.zip.part', 'other.zip.0123456789ab.part'];
  for (const name of [...others, 'customer.zip.ba9876543210.part']) writeFileSync(join(folder, name), 'half');
  for (const name of others) utimesSync(join(folder, name), old, old);
  await writeWholeFile(file, (write) => write(Readable.from(['whole'])));
  const left = readdirSync(folder).filter((name) => name.endsWith('.part'));
  expect(left.toSorted()).toEqual([
    'customer.zip.ba9876543210.part',
    'customer.zip.part',
    'other.zip.0123456789ab.part',
  ]);
});
