// `npm start` and `npm run rehearse`: need nothing but Node and npm. Install and build when that is needed, then hand over to the launcher.
import { join } from 'node:path';
import { nodeVersionFault } from './node-version.mjs';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', '..');

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
const isRehearsal = process.argv[2] === 'rehearse';
if (isRehearsal) process.argv.splice(2, 1);
await import(isRehearsal ? '../../build/rehearse.js' : '../../build/launch.js');
