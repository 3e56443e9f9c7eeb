import { join } from 'node:path';
import { projectFolder } from './project-folder.ts';

/** The file of a built program (ship/launch/build.mjs): beside this one in a build; from source that of the last build. */
export const builtProgram = (name: string): string =>
  join(import.meta.url.endsWith('.ts') ? projectFolder('build') : import.meta.dirname, `${name}.js`);
