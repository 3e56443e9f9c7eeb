// `npm start`: needs nothing but Node and npm. Installs and builds when that is needed, then hands over to the launcher.
import { join } from 'node:path';
import { nodeVersionFault } from './node-version.mjs';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

async function prepare() {
  const fault = nodeVersionFault();
  if (fault !== undefined) throw new Error(fault);
  const { install } = await import('./install.mjs');
  const { build } = await import('./build.mjs');
  await install(root);
  await build(root);
}

try {
  await prepare();
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
await import('../build/launch.js');
