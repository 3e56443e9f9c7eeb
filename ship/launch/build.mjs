import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compressFiles } from './compress.mjs';
import { run } from './install.mjs';
import { showProgress } from './progress.mjs';

/** The programs of the build: the bundle's name and its entry point. */
export const programs = {
  portal: 'server/main.ts',
  gateway: 'gateway/main.ts',
  products: 'products/main.ts',
  'render-worker': 'shared/paper/render-worker.ts',
  'mail-worker': 'server/imap/mail-worker.ts',
  'draft-worker': 'catalog/draft-worker.ts',
  'catalog-worker': 'catalog/catalog-worker.ts',
  'openapi-worker': 'gateway/calls/openapi-worker.ts',
  'page-worker': 'server/public-pages/page-worker.ts',
  'prepare-paper': 'products/invoicing/prepare-paper.ts',
  'tax-lookup-inside': 'products/tax-lookup/inside.ts',
  standins: 'ship/standins/main.ts',
  launch: 'ship/launch/main.ts',
  rehearse: 'ship/launch/rehearse.ts',
  octroi: 'cli/main.ts',
};

const serverRooms = [
  'backup',
  'catalog',
  'cli',
  'shared/contract',
  'shared/database',
  'doctor',
  'shared/domain',
  'gateway',
  'ship/launch',
  'shared/paper',
  'shared/platform',
  'shared/policies',
  'shared/request-log',
  'products',
  'server',
  'ship/standins',
];
const webRooms = ['shared/contract', 'shared/domain', 'shared/policies', 'web'];
const shared = ['package-lock.json', 'package.json', 'tsconfig.json'];

function addToHash(hash, path) {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) addToHash(hash, child);
    else hash.update(`${child}\0`).update(readFileSync(child));
  }
}

/** A hash of everything that a build is made from: it changes when any input changes. */
function sourceHash(root, rooms) {
  const hash = createHash('sha256');
  for (const file of shared) hash.update(readFileSync(join(root, file)));
  for (const room of rooms) addToHash(hash, join(root, room));
  return hash.digest('hex');
}

async function buildUnlessFresh(root, name, rooms, make) {
  const stamp = join(root, 'build', `${name}.stamp`);
  const hash = sourceHash(root, rooms);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await make();
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(stamp, hash);
}

/** The command in several files, so that a process that it becomes loads only the first. */
async function buildCommand(esbuild, folder, options) {
  const old = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('octroi-')) : [];
  for (const name of old) rmSync(join(folder, name));
  await esbuild.build({ ...options, splitting: true, chunkNames: 'octroi-[name]-[hash]' });
  chmodSync(join(folder, 'octroi.js'), 0o755);
}

/** Bundles every program into a folder below the root, where it still finds the packages and the project's files. */
export async function bundlePrograms(root, outdir = 'build') {
  const done = showProgress('Building the programs');
  let wentWell = false;
  try {
    // Imported here because packages are installed only now.
    const esbuild = await import('esbuild');
    const { octroi, ...others } = Object.fromEntries(
      Object.entries(programs).filter(([, source]) => existsSync(join(root, source))),
    );
    const options = {
      absWorkingDir: root,
      outdir,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      sourcemap: true,
      logLevel: 'warning',
    };
    await esbuild.build({ ...options, entryPoints: others });
    if (octroi !== undefined)
      await buildCommand(esbuild, resolve(root, outdir), { ...options, entryPoints: { octroi } });
    await esbuild.stop();
    wentWell = true;
  } finally {
    done(wentWell);
  }
}

async function buildPages(root) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const buildWith = (what, config) =>
    run(`Building ${what}`, process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], root);
  await buildWith('the pages', 'web/vite.config.ts');
  // Into the same folder, which the other build has emptied.
  await buildWith('the console', 'web/vite/console.config.ts');
  await buildWith('the page of pay links', 'web/vite/pay.config.ts');
  await buildWith('what shows before their code', 'web/vite/served-pages.config.ts');
  await buildWith('the public pages', 'web/vite/public-pages.config.ts');
  cpSync(join(root, 'build', 'public-pages', 'assets'), join(root, 'build', 'web', 'assets'), { recursive: true });
  await compressFiles(join(root, 'build', 'web'));
}

/** Builds the programs into build/ if their sources have changed since the last build. */
export const buildPrograms = (root) => buildUnlessFresh(root, 'programs', serverRooms, () => bundlePrograms(root));

/** Builds what has changed since the last build into build/: the programs, and the pages under build/web. */
export async function build(root) {
  await buildPrograms(root);
  if (existsSync(join(root, 'web', 'vite.config.ts')))
    await buildUnlessFresh(root, 'pages', webRooms, () => buildPages(root));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = join(import.meta.dirname, '..', '..');
  await (process.argv[2] === 'programs' ? buildPrograms(root) : build(root));
}
