// `npm run pack`: everything built, with its packages, as one archive that runs without npm.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, programs } from './build.mjs';
import { install, npmCommand, run } from './install.mjs';

/** Files and folders of the repository that the programs read, and what a person reads. */
const kept = [
  '.env.example',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'catalog',
  'shared/database/changes',
  'shared/database/fingerprints.txt',
  'shared/database/schema',
  'ship/deploy',
  'docs',
  'package.json',
  'shared/paper',
  'products',
  'ship/standins/browser',
];
/** Source of programs, which is in build/. */
const source = /\.(ts|tsx)$/;

function filesBelow(root, path) {
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, child);
    return source.test(entry.name) ? [] : [child];
  });
}

/** The folders of the packages that production needs on this machine, as the lock file says. */
function packagesOf(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(join(root, path)))
    .map(([path]) => path);
}

/**
 * Puts everything that production needs into a new folder, as hard links: `octroi` there is the command. `built` has the programs and, if they
 * are built, the pages.
 */
export function assemble(root, folder, built = join(root, 'build')) {
  const link = (from, to) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    linkSync(from, join(folder, to));
  };
  for (const path of kept) {
    const isFolder = !/\.[a-z]+$/.test(path) && path !== 'LICENSE';
    for (const file of isFolder ? filesBelow(root, path) : [path]) link(join(root, file), file);
  }
  const program = new RegExp(`^(${Object.keys(programs).join('|')}|octroi-[\\w-]+)\\.js(\\.map)?$`);
  for (const name of readdirSync(built)) if (program.test(name)) link(join(built, name), join('build', name));
  for (const pages of ['web', 'served-pages', 'public-pages'].filter((name) => existsSync(join(built, name))))
    for (const file of filesBelow(built, pages)) link(join(built, file), join('build', file));
  copyLinked(root, packagesOf(root), folder);
  symlinkSync(join('build', 'octroi.js'), join(folder, 'octroi'));
}

function copyLinked(root, paths, folder) {
  const copied = spawnSync('cp', ['-al', '--parents', ...paths, folder], { cwd: root, encoding: 'utf8' });
  if (copied.status !== 0)
    throw new Error(`The packages could not be copied: ${copied.error?.message ?? copied.stderr}`);
}

/** The list of packages in the CycloneDX format; those of development too, as the pages contain some of them. */
export async function packageList(root) {
  const [npm, ...first] = npmCommand();
  const args = [...first, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'];
  return run('Listing the packages', npm, args, root);
}

/** Writes the archive, its checksum and the list of its packages (CycloneDX) into build/pack/; returns the archive's path. */
export async function pack(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `octroi-${version}-${process.platform}-${process.arch}`;
  const out = join(root, 'build', 'pack');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, name), { recursive: true });
  const sbom = await packageList(root);
  writeFileSync(join(out, 'sbom.cdx.json'), sbom);
  assemble(root, join(out, name));
  writeFileSync(join(out, name, 'sbom.cdx.json'), sbom);
  const archive = join(out, `${name}.tar.gz`);
  await run(
    'Packing',
    'tar',
    ['--create', '--gzip', '--owner=0', '--group=0', '--sort=name', '--file', archive, name],
    out,
  );
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(`${archive}.sha256`, `${sum}  ${name}.tar.gz\n`);
  rmSync(join(out, name), { recursive: true });
  return archive;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = join(import.meta.dirname, '..', '..');
  await install(root);
  await build(root);
  console.log(await pack(root));
}
