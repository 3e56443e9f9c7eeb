import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';

test('folders of killed processes are removed by the next process; those of living ones stay', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'catalogs-'));
  vi.stubEnv('TMPDIR', temporary);
  // The modules remember that they have cleaned up.
  vi.resetModules();
  const { readCatalogFiles, unpackCatalog } = await import('./catalog-files.ts');
  const files = readCatalogFiles(projectFolder('ship', 'standins', 'catalog'));
  const mine = unpackCatalog(files);
  const [name = ''] = readdirSync(temporary);
  const dead = Number(execFileSync(process.execPath, ['-p', 'process.pid']));
  const ofPid = (pid: number) => join(temporary, `${name.replace(`-${process.pid}-`, `-${pid}-`)}x`);
  for (const pid of [dead, process.ppid]) mkdirSync(ofPid(pid));

  vi.resetModules();
  const next = await import('./catalog-files.ts');
  const { remove } = next.unpackCatalog(files);
  expect([existsSync(ofPid(dead)), existsSync(ofPid(process.ppid))]).toEqual([false, true]);
  remove();
  mine.remove();
  expect(readdirSync(temporary)).toHaveLength(1);
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

test('a version whose names documents cannot show is refused, but stays readable if it is on sale', async () => {
  const { SoundFiles, readCatalogFiles, unpackCatalog } = await import('./catalog-files.ts');
  const files = new Map(readCatalogFiles(projectFolder('ship', 'standins', 'catalog')));
  const [path = '', text = ''] =
    Array.from(files, ([name, content]) => [name, content.toString()]).find(([name]) => name?.endsWith('.yaml')) ?? [];
  files.set(path, Buffer.from(text.replace(/^name: .*$/m, 'name: API 東京')));
  expect(() => SoundFiles.of(files)).toThrow(/the name API 東京 is on invoices. Documents can’t show “東”/);
  unpackCatalog(files).remove();
});
