import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { isTest } from './modules.ts';
import { repositoryFiles } from './repository-files.ts';

/** A limit of a wait or a test in its options, or after the body of a test or a hook. */
const limits = /\btimeout: (\d+_\d{3})\b|^\}, (\d+_\d{3})\);/gm;
const leastMs = 60_000;

test('no limit of a test is below a minute: limits end what hangs, and a busy machine stands still for seconds', () => {
  const tests = repositoryFiles().filter((path) => isTest(path) && !path.startsWith('tests/e2e/'));
  const found = tests.flatMap((path) =>
    [...readFileSync(projectFolder(path), 'utf8').matchAll(limits)].map(([, wait, whole]) => ({
      path,
      ms: Number((wait ?? whole ?? '').replaceAll('_', '')),
    })),
  );
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(({ ms }) => ms < leastMs)).toEqual([]);
});

/** The waits in a text, each to its last bracket. */
function waitsIn(text: string): string[] {
  return text
    .split(/\bvi\.wait(?:Until|For)(?=\()/)
    .slice(1)
    .map((rest) => {
      let depth = 0;
      const end = rest
        .split('')
        .findIndex((letter) => (depth += Number(letter === '(') - Number(letter === ')')) === 0);
      return rest.slice(0, end);
    });
}

test('no wait has the default limit of one second; `expect.poll` has the one of vitest.config.ts', () => {
  const tests = repositoryFiles().filter((path) => isTest(path) && !path.startsWith('tests/e2e/'));
  const waits = tests.flatMap((path) =>
    waitsIn(readFileSync(projectFolder(path), 'utf8')).map((wait) => ({ path, wait })),
  );
  expect(waits.length).toBeGreaterThan(20);
  expect(waits.filter(({ wait }) => !/timeout\b/.test(wait))).toEqual([]);
});
