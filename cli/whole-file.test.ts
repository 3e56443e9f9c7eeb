import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
