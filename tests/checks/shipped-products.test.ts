import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { repositoryFiles } from './repository-files.ts';

/** Rooms that work with any catalogue. The gateway's benchmarks and browser tests have the tests' catalogue, whatever is sold. */
const rooms =
  /^(?:backup|tests\/bench\/(?:paper|portal)|cli|shared\/contract|shared\/database|ship\/demo|doctor|shared\/domain|gateway|ship\/launch|shared\/paper|shared\/platform|server|web)\//;
const isTest = /\.(?:test|long|spec)\.[a-z]+$|\/test\/|\/test-[^/]*$|\/money-tests\/|\.md$/;

const productIds = readdirSync(projectFolder('catalog'))
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => /^id: *(\S+)/m.exec(readFileSync(projectFolder('catalog', name), 'utf8'))?.[1] ?? []);

/** The lines of a program that name a shipped product other than in a comment. */
function linesNaming(path: string): string[] {
  const lines = readFileSync(projectFolder(path), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(line);
    return !isComment && productIds.some((id) => line.includes(id)) ? [`${path}:${index + 1}`] : [];
  });
}

test('no program depends on a product that is shipped in catalog/', () => {
  expect(productIds.length).toBeGreaterThan(0);
  const programs = repositoryFiles().filter(
    (path) => rooms.test(path) && /\.(?:m?ts|tsx|mjs)$/.test(path) && !isTest.test(path),
  );
  expect(programs.length).toBeGreaterThan(500);
  expect(programs.flatMap(linesNaming)).toEqual([]);
});
