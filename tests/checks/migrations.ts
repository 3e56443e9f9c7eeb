import { execFileSync } from 'node:child_process';

function git(root: string, args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/**
 * Changes of a release have been applied to real data: from the latest tagged release on they are neither edited nor
 * removed. (The program that applies them refuses edited ones too.)
 */
export function editedMigrations(root: string): string[] {
  const release = git(root, ['describe', '--tags', '--abbrev=0', '--match', 'v*']);
  if (release === undefined) return [];
  const changed = git(root, [
    'diff',
    '--name-only',
    '--no-renames',
    '--diff-filter=DMT',
    release,
    '--',
    'shared/database/changes',
    'products/migrations',
  ]);
  return (changed ?? '')
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => `${path} belongs to the release ${release} and was changed; add a new one instead.`);
}
