import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder, npmCommand, run } from './install.mjs';

/** ClickHouse in a process; half a gigabyte, so that it is installed by what needs it alone. */
const packagedEngine = 'chdb@3.4.0';

/** Installs the engine beside the project, unless it is there; returns the address of its module. */
export async function getEngine() {
  const cache = cacheFolder(`octroi-${packagedEngine.replace('@', '-')}`);
  const module = join(cache, 'node_modules', 'chdb', 'index.mjs');
  if (!existsSync(module)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, 'package.json'), '{"private":true}');
    const [program, ...first] = npmCommand();
    const args = [...first, 'install', '--no-audit', '--no-fund', '--ignore-scripts', packagedEngine];
    await run('Installing ClickHouse', program, args, cache);
  }
  return pathToFileURL(module).href;
}
