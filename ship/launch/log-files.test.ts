import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLogFile } from './log-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'logs-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a full file is rotated, six files are kept, and no line in them is lost', async () => {
  const path = join(folder, 'portal.log');
  const file = openLogFile(path, 100);
  for (let line = 0; line < 200; line += 1) {
    file.write(`line ${String(line).padStart(4, '0')}`);
    if (line % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await file.close();
  const names = readdirSync(folder).toSorted();
  expect(names).toEqual(['portal.log', 'portal.log.1', 'portal.log.2', 'portal.log.3', 'portal.log.4', 'portal.log.5']);
  const kept = names.toReversed().flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  expect(kept).toEqual(
    Array.from(kept, (_line, index) => `line ${String(200 - kept.length + index).padStart(4, '0')}`),
  );
  expect(kept.length).toBeGreaterThan(50);
});

test('appends to an existing file', async () => {
  const path = join(folder, 'gateway.log');
  for (const line of ['first', 'second']) {
    const file = openLogFile(path);
    file.write(line);
    await file.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
});
