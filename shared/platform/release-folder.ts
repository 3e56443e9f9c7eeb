import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { projectFolder } from './project-folder.ts';

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  const above = dirname(absolute);
  return above === absolute ? absolute : join(realPath(above), relative(above, absolute));
}

/** Whether a folder lies inside the program's own folder, which the next release replaces. */
export function isInProgramFolder(path: string, program = projectFolder()): boolean {
  const inside = relative(realPath(program), realPath(path));
  return !inside.startsWith('..') && inside !== '';
}

/**
 * Throws for a folder inside a release: an archive or image, which have no source, or whatever runs in production. A checkout of the source is
 * its developer's own.
 */
export function refuseReleaseFolder(path: string, env: NodeJS.ProcessEnv, program = projectFolder()): void {
  const isRelease = env['NODE_ENV'] === 'production' || !existsSync(join(program, 'cli', 'main.ts'));
  if (!isRelease || !isInProgramFolder(path, program)) return;
  throw new Error(
    `${path} belongs to this release of Octroi, and the next release replaces it, so nothing is written there. Copy it to a folder of your own ` +
      `and name that one in CATALOG_DIR: cp -r ${path} /etc/octroi/catalog`,
  );
}
