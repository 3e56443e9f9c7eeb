import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A path inside the project, for what is read as a file at run time (migrations, catalogue, templates, the built pages).
 * The same for sources and for the bundles in build/. Throws when the project's package.json is nowhere above.
 */
export function projectFolder(...parts: string[]): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('the project folder (with package.json) is nowhere above this file');
    folder = above;
  }
  return join(folder, ...parts);
}
