// `npm test`: needs nothing but Node and npm. Installs, builds, finds a browser, and runs every check and every test.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { nodeVersionFault } from '../../ship/launch/node-version.mjs';
import { seconds } from '../../ship/launch/progress.mjs';

const root = join(import.meta.dirname, '..', '..');
const results = join(root, 'build', 'test-results');
const began = Date.now();

function runTests(program, args, env) {
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** The counts and failures that a runner wrote down; a runner that failed without a failing test counts as one failure. */
function counted(file, code, read) {
  let counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    counts = read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // It ended before it could write: the exit code tells.
  }
  if (counts.failed > 0 || (code === 0 && counts.passed > 0)) return counts;
  return { ...counts, failed: 1, failures: [`the runner ended with code ${code} (see its output)`] };
}

/** The first lines of an error, without the colours of a terminal. */
function briefly(message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  return lines.slice(0, 3).join(' ').slice(0, 400);
}

const failuresOfVitest = ({ testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message) return [`${file}: ${briefly(message)}`];
    return failed.map((each) => `${file} > ${each.fullName}: ${briefly(each.failureMessages[0])}`);
  });

/** What the page showed: its file is gone with the machine that ran the test. */
function pageOf(broken) {
  const path = broken?.attachments.find(({ name }) => name === 'error-context')?.path;
  const [, page] = path === undefined ? [] : (/```yaml\n([^]*?)```/.exec(readFileSync(path, 'utf8')) ?? []);
  return page === undefined ? '' : `\n${page.split('\n').slice(0, 90).join('\n')}`;
}

const failuresOfPlaywright = ({ suites = [], specs = [] }) => [
  ...suites.flatMap(failuresOfPlaywright),
  ...specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) => {
        const broken = results.find(({ error }) => error !== undefined);
        return `${file} > ${title} [${projectName}]: ${briefly(broken?.error.message)}${pageOf(broken)}`;
      }),
  ),
];

async function unitTests(path) {
  const file = join(results, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runTests('vitest/vitest.mjs', args, { PATH: path });
  return counted(file, code, (found) => ({
    passed: found.numPassedTests,
    failed: found.numFailedTests,
    skipped: found.numPendingTests + found.numTodoTests,
    failures: failuresOfVitest(found),
  }));
}

async function browserTests(chromium) {
  const file = join(results, 'playwright.json');
  const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const code = await runTests('@playwright/test/cli.js', ['test', '--reporter=list,json'], env);
  return counted(file, code, ({ stats, suites }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: failuresOfPlaywright({ suites }),
  }));
}

function title(text) {
  console.log(`\n${text}  (${seconds(began)})`);
}

async function test() {
  const fault = nodeVersionFault();
  if (fault !== undefined) throw new Error(fault);
  const { install } = await import('../../ship/launch/install.mjs');
  await install(root);
  const { build } = await import('../../ship/launch/build.mjs');
  await build(root);
  const { getChromium } = await import('../../ship/launch/chromium.mjs');
  const chromium = await getChromium();
  const { pathWithNginx } = await import('./nginx.mjs');
  const path = await pathWithNginx();
  const { installTokens } = await import('./tokens.mjs');
  await installTokens();
  const { runChecks } = await import('./run-checks.mjs');
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });

  title('Checks');
  const parts = [{ skipped: 0, ...(await runChecks()) }];
  title('Tests of the parts');
  parts.push(await unitTests(path));
  title(`Tests in the browser, ${chromium}`);
  parts.push(await browserTests(chromium));

  const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
  title('All of it');
  for (const [index, name] of ['checks', 'parts', 'browser'].entries()) {
    const { passed, failed, skipped } = parts[index];
    console.log(`  ${name.padEnd(8)} ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
  for (const failure of parts.flatMap(({ failures }) => failures)) console.log(`  ✗ ${failure}`);
  const skipped = sum('skipped');
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return sum('failed') === 0;
}

try {
  process.exitCode = (await test()) ? 0 : 1;
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
