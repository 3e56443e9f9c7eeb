import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seconds } from '../../ship/launch/progress.mjs';

const root = join(import.meta.dirname, '..', '..');
const tool = (path, ...args) => [join(root, 'node_modules', path), ...args];
const own = (name) => ['--import', 'tsx', join(root, 'tests', 'checks', `${name}.ts`)];

/** Every check with the arguments that Node gets; the long ones first. */
const checks = {
  'schema and types of the tables': own('schema'),
  types: tool('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'),
  'types of the pages': tool('typescript/bin/tsc', '--noEmit', '-p', 'web/tsconfig.json'),
  'types of the browser tests': tool('typescript/bin/tsc', '--noEmit', '-p', 'tests/e2e/tsconfig.json'),
  lint: tool('oxlint/bin/oxlint'),
  'dead code': tool('knip/bin/knip.js', '--no-progress'),
  format: tool('oxfmt/bin/oxfmt', '--check'),
  architecture: own('architecture'),
  secrets: own('secrets'),
  'raw SQL': own('raw-sql'),
  'texts of the pages': own('texts'),
  'styles of Mantine': own('mantine-styles'),
  settings: own('env-example'),
  'letters of documents': own('font-coverage'),
  'lock file': own('lock-file'),
  'product rules': own('product'),
  monitoring: own('monitoring'),
  'map of the house': own('house'),
};

function runCheck(name, args) {
  const began = Date.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ name, passed: false, output: error.message, took: seconds(began) }));
    child.once('close', (code) => resolve({ name, passed: code === 0, output: output.trim(), took: seconds(began) }));
  });
}

/** Runs all checks, two at a time, prints a line for each and the full output of a failing one. */
export async function runChecks() {
  const waiting = Object.entries(checks);
  const results = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await runCheck(...next);
      results.push(result);
      console.log(`  ${result.passed ? '✓' : '✗'} ${result.name}  ${result.took}`);
      if (!result.passed) console.log(result.output.replaceAll(/^/gm, '    '));
    }
  };
  await Promise.all([work(), work()]);
  const failures = results.filter(({ passed }) => !passed).map(({ name }) => `the check "${name}" (see its output)`);
  return { passed: results.length - failures.length, failed: failures.length, failures };
}

/** The rooms whose tests need no database and no network. */
const fastRooms = ['shared/domain', 'shared/contract', 'catalog'].filter((room) => existsSync(join(root, room)));

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { failed } = await runChecks();
  const tests = await runCheck('fast tests', tool('vitest/vitest.mjs', 'run', '--reporter=dot', ...fastRooms));
  console.log(tests.output);
  process.exitCode = failed === 0 && tests.passed ? 0 : 1;
}
