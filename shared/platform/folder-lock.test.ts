import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderLocked, lockFolder } from './folder-lock.ts';
import { bundleScript } from './test-script.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const holderFound = (found: string, purpose: 'data' | 'journal' = 'data') =>
  lockFolder(found, purpose, 'a second process').then(
    () => undefined,
    (error: unknown) => (error instanceof FolderLocked ? error.holder : error),
  );

test('a folder can be locked once per purpose, and again after it is unlocked', async () => {
  const unlockData = await lockFolder(folder, 'data', 'process 1');
  const unlockJournal = await lockFolder(folder, 'journal', 'process 2');
  expect(await holderFound(folder, 'data')).toBe('process 1');
  expect(await holderFound(folder, 'journal')).toBe('process 2');
  await unlockData();
  await (
    await lockFolder(folder, 'data', 'process 3')
  )();
  await unlockJournal();
});

test('another path to a locked folder is locked too', async () => {
  const alias = `${folder}-alias`;
  symlinkSync(folder, alias);
  const unlock = await lockFolder(folder, 'data', 'process 1');
  expect(await holderFound(alias)).toBe('process 1');
  await unlock();
  rmSync(alias);
});

test('a lock ends with its process, even after kill -9', async () => {
  const script = bundleScript(`import { lockFolder } from '#shared/platform/folder-lock.ts';
    await lockFolder(${JSON.stringify(folder)}, 'data', 'the other'); setInterval(() => {}, 1000); console.log('locked');`);
  const holder = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  expect(await holderFound(folder)).toBe('the other');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await (
    await lockFolder(folder, 'data', 'process 3')
  )();
});

test.runIf(process.platform === 'linux')('unlocking does not wait for a connection that stays open', async () => {
  const unlock = await lockFolder(folder, 'data', 'process 1');
  const name = `\0octroi-${createHash('sha256').update(folder).digest('hex').slice(0, 40)}`;
  const idle = createConnection({ path: name, allowHalfOpen: true });
  await once(idle, 'connect');
  await expect(unlock()).resolves.toBeUndefined();
  idle.destroy();
});
