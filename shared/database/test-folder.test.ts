import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { removeAbandoned } from './test-folder.ts';

test('a run has a folder of temporary files, and removes those of runs that were killed, but of no run that goes on', async () => {
  expect(basename(tmpdir())).toMatch(/^octroi-tests-\d+-/);
  const parent = mkdtempSync(join(tmpdir(), 'parent-'));
  const killed = spawnSync('true').pid;
  const make = (name: string): string => {
    mkdirSync(join(parent, name, 'inside'), { recursive: true });
    return join(parent, name);
  };
  const abandoned = make(`octroi-tests-${killed}-aaaaaa`);
  const kept = [make(`octroi-tests-${process.pid}-aaaaaa`), make('octroi-tests-mine'), make('another')];
  await removeAbandoned(parent);
  expect(existsSync(abandoned)).toBe(false);
  expect(kept.map((folder) => existsSync(folder))).toEqual([true, true, true]);
});
