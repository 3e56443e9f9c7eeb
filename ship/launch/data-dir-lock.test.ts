import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataDirHeld, holdDataDir } from './data-dir-lock.ts';

const data = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => rmSync(data, { recursive: true }));

test('a data folder is held once; the refusal names who holds it', async () => {
  const free = await holdDataDir(data, 'process 1, portal http://localhost:4000');
  const second = holdDataDir(data, 'process 2');
  await expect(second).rejects.toThrow(DataDirHeld);
  await expect(second).rejects.toThrow('process 1, portal http://localhost:4000');
  await free();
  await (
    await holdDataDir(data, 'process 3')
  )();
});
