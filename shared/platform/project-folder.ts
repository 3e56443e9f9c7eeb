import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A path inside the project, for files read at run time (migrations, catalogue, templates, the built pages). Works for
 * sources and for the bundles in build/. Throws when no parent folder has the project's package.json.
 */
export function projectFolder(...parts: string[]): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('no parent folder of this file has the project’s package.json');
    folder = above;
  }
  return join(folder, ...parts);
}
