import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { projectFolder } from './project-folder.ts';

// Here it finds the packages.
const folder = projectFolder('node_modules', '.cache', 'octroi', `scripts-${process.pid}`);
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
let scripts = 0;

/** Bundles a small program that a test starts as a process, and returns its file. To start it with tsx takes four times the work. */
export function bundleScript(source: string): string {
  scripts += 1;
  const outfile = join(folder, `${scripts}.mjs`);
  buildSync({
    stdin: { contents: source, loader: 'ts', resolveDir: projectFolder() },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return outfile;
}
