import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, npmCommand, run } from '#ship/launch/install.mjs';

/** Installs packages, with their versions, beside the project, which needs them for nothing else. Returns their folder. */
export async function installBeside(packages: readonly string[]): Promise<string> {
  const folder = cacheFolder(`octroi-${packages[0]?.replace('@', '-')}`);
  const lastInstalled = join(folder, 'node_modules', '.package-lock.json');
  if (existsSync(lastInstalled)) return folder;
  const [program = 'npm', ...first] = npmCommand();
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = [...first, 'install', '--prefix', folder, ...quiet, ...packages];
  await run(`Installing ${packages.join(', ')}`, program, args, tmpdir());
  return folder;
}
