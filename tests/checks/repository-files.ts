import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** The paths of all files that are committed or staged, relative to the project's folder. */
export function repositoryFiles(): string[] {
  const options = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', options, { cwd: projectFolder(), encoding: 'utf8' });
  return listed.split('\0').filter((path) => path !== '' && existsSync(projectFolder(path)));
}
