import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectFolder } from '#platform/project-folder.ts';
import { DataDirHeld, holdDataDir } from './data-dir-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
const data = mkdtempSync(join(folder, 'data-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder is held once, and free again after', async () => {
  const free = await holdDataDir(data, 'process 1, portal http://localhost:4000');
  const second = holdDataDir(data, 'process 2');
  await expect(second).rejects.toThrow(DataDirHeld);
  await expect(second).rejects.toThrow('process 1, portal http://localhost:4000');
  free();
  (await holdDataDir(data, 'process 3'))();
});

test('another name of the same folder is the same folder', async () => {
  const alias = join(folder, 'alias');
  symlinkSync(data, alias);
  const free = await holdDataDir(data, 'process 1');
  await expect(holdDataDir(alias, 'process 2')).rejects.toThrow(DataDirHeld);
  free();
});

test('a process that is killed frees it', async () => {
  const script = `import('#launch/data-dir-lock.ts').then(async ({ holdDataDir }) => {
    await holdDataDir(${JSON.stringify(data)}, 'the other'); setInterval(() => {}, 1000); console.log('held'); })`;
  const holder = spawn(process.execPath, ['--import', 'tsx', '-e', script], {
    cwd: projectFolder(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await expect(holdDataDir(data, 'process 2')).rejects.toThrow('the other');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  (await holdDataDir(data, 'process 3'))();
});
