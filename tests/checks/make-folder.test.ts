import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { isTest } from './modules.ts';
import { repositoryFiles } from './repository-files.ts';

/** Rooms whose programs make folders that an operator has named. */
const rooms =
  /^(?:backup|catalog|cli|shared\/database|doctor|gateway|ship\/launch|shared\/paper|shared\/platform|products|server)\/.*\.ts$/;

test('programs make folders with makeFolder, because mkdir of Node does not return where one cannot be made', () => {
  const programs = repositoryFiles().filter((path) => rooms.test(path) && !isTest(path));
  const making = programs.filter((path) =>
    /\bmkdir(?:Sync)?\([^;]*\brecursive\b/.test(readFileSync(projectFolder(path), 'utf8')),
  );
  expect(programs.length).toBeGreaterThan(500);
  expect(making).toEqual([]);
});
