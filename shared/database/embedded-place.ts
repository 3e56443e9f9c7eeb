import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { chooseServerUser, type ServerUser } from './embedded-user.ts';

/**
 * The location of the database. `folder` belongs to the user that runs PostgreSQL; `cluster` inside it is PostgreSQL's
 * own.
 */
export interface ClusterPlace {
  folder: string;
  cluster: string;
  user: ServerUser;
}

/** For root only: a location that other users may enter, unlike a home folder. */
export const sharedPlace = '/var/lib/octroi';
const pointerName = 'postgres-place';

/** A cluster of a new major version, complete, which has yet to take the place of the old one. */
export const upgradedName = 'cluster.upgraded';

/** Can the user of PostgreSQL work in a folder, only enter it, or neither? */
function useOf(folder: string, user: ServerUser): 'works' | 'enters' | 'stays out' {
  if (user.ids.uid === undefined) return 'works';
  const script = 'cd "$1" || exit 2; touch ".try-$$" && rm ".try-$$"';
  const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', folder], { ...user.ids, cwd: '/', stdio: 'ignore' });
  return status === 0 ? 'works' : status === 2 ? 'stays out' : 'enters';
}

function make(folder: string, user: ServerUser): void {
  makeFolder(folder);
  chmodSync(folder, 0o700);
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(folder, user.ids.uid, user.ids.gid);
}

/** The location, existing or future, of the database of a data folder. */
export function clusterFolder(dataDir: string): string {
  const pointer = join(dataDir, pointerName);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataDir, 'postgres');
}

/**
 * Finds or creates the location of the database that belongs to a data folder: inside it, or where its pointer file
 * says. For root with a data folder that the PostgreSQL user may not enter it is a folder under /var/lib; `tell`
 * reports that at each start.
 */
export function findClusterPlace(dataDir: string, tell: (line: string) => void): ClusterPlace {
  const pointer = join(dataDir, pointerName);
  const folder = clusterFolder(dataDir);
  const cluster = join(folder, 'cluster');
  // The upgrade was interrupted between its last two steps.
  if (!existsSync(cluster) && existsSync(join(folder, upgradedName))) renameSync(join(folder, upgradedName), cluster);
  const user = chooseServerUser(cluster);
  if (existsSync(pointer) && !existsSync(cluster)) {
    throw new Error(
      `${pointer} says that the database is in ${folder}, but there is none. Put it back there, or delete ${pointer} to start with an empty one.`,
    );
  }
  if (!existsSync(cluster)) make(folder, user);
  const use = useOf(folder, user);
  if (use === 'works') {
    // At each start: people don't expect their data outside their data folder.
    if (existsSync(pointer)) tell(`The database is in ${folder}, as ${pointer} says. Back up that folder too.`);
    return { folder, cluster, user };
  }
  if (existsSync(cluster)) {
    throw new Error(
      use === 'enters'
        ? `The user ${user.name}, who runs PostgreSQL, cannot write in ${folder}: the file system is read-only or full, or the folder belongs to somebody else (then: chown -R ${user.name} ${folder}).`
        : `The user ${user.name}, who runs PostgreSQL, may not enter ${folder}. Allow it on every folder above it: chmod o+x ${dirname(folder)}`,
    );
  }
  return elsewhere(dataDir, pointer, user, tell);
}

function elsewhere(dataDir: string, pointer: string, user: ServerUser, tell: (line: string) => void): ClusterPlace {
  const folder = join(sharedPlace, `${basename(dataDir)}-${randomBytes(4).toString('hex')}`);
  try {
    makeFolder(sharedPlace);
    chmodSync(sharedPlace, 0o755);
    make(folder, user);
  } catch {
    // Reported below.
  }
  if (useOf(folder, user) !== 'works') {
    throw new Error(
      `PostgreSQL refuses to run as root, and the user ${user.name}, who runs it instead, may enter neither ${dataDir} nor ${sharedPlace}. ` +
        'Choose a data folder that every user may enter, for example: --data /srv/octroi',
    );
  }
  writeFileSync(pointer, `${folder}\n`);
  tell(`The database is in ${folder}: its user ${user.name} may not enter ${dataDir}.`);
  return { folder, cluster: join(folder, 'cluster'), user };
}
