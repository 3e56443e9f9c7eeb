import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { showProgress } from './progress.mjs';

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
}

/**
 * True when node_modules contains exactly what the lock file asks for, according to npm's own list of installed
 * packages. Optional packages may be missing; they are for other machines.
 */
export function isInstalled(root) {
  const installedList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = packagesOf(installedList);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '') return true;
    const there = installed[path];
    if (there === undefined) return wanted.optional === true || wanted.devOptional === true;
    return there.version === wanted.version;
  });
}

/** npm's own program when npm started us (`npm start`), else the npm on the PATH. */
export function npmCommand() {
  const npm = process.env.npm_execpath;
  if (npm !== undefined && npm.endsWith('npm-cli.js')) return [process.execPath, npm];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/** Installs the packages if needed. The build also needs the development packages, whatever NODE_ENV says. */
export async function install(root) {
  if (isInstalled(root)) return;
  const [program, ...first] = npmCommand();
  const args = [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('Installing packages', program, args, root);
}

/** The beginning and the end of a long output. */
function shorten(lines) {
  return lines.length <= 40 ? lines : [...lines.slice(0, 15), '…', ...lines.slice(-20)];
}

/**
 * Runs a program behind one line of progress; its output is shown only when it fails.
 * @returns its output
 */
export async function run(title, program, args, cwd, env = process.env) {
  const done = showProgress(title);
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], shell: program.endsWith('.cmd') });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const fault = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`),
    );
  });
  done(fault === undefined);
  if (fault === undefined) return output;
  throw new Error(`${title} failed: ${fault}\n${shorten(output.trim().split('\n')).join('\n')}`);
}

/** Where programs are kept that were brought for this user, for example `octroi-chromium`. */
export function cacheFolder(name) {
  return join(existsSync(homedir()) ? join(homedir(), '.cache') : tmpdir(), name);
}

/** Runs apt-get; false when it fails. */
export async function aptGet(title, args, cwd = '/') {
  try {
    await run(title, 'apt-get', ['-qq', ...args], cwd, { ...process.env, DEBIAN_FRONTEND: 'noninteractive' });
  } catch {
    return false;
  }
  return true;
}
