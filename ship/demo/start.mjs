// `npm run demo`: starts the product as `npm start` does, on its own data, and fills it with history when it is empty.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const flags = process.argv.slice(2);
// The launcher validates the flags; this needs only the folder.
const { values } = parseArgs({ strict: false, options: { data: { type: 'string' }, 'data-dir': { type: 'string' } } });
const given = values.data ?? values['data-dir'];
const dataDir = given ?? join(root, 'data', 'demo');
if (given === undefined) flags.push('--data', dataDir);

const product = fork(join(root, 'ship', 'launch', 'start.mjs'), flags);
product.once('exit', (code) => process.exit(code ?? 1));
// Ctrl-C also reaches the product directly; this program exits after it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => product.kill('SIGTERM'));

product.once('message', (addresses) => {
  const told = JSON.stringify({ addresses, dataDir });
  const filling = fork(join(root, 'ship', 'demo', 'main.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DEMO: told },
  });
  filling.once('exit', (code) => {
    if (code !== 0) process.exitCode = 1;
  });
});
