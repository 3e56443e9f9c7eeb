import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chooseServerUser, type ServerUser } from './embedded-user.ts';

/** Where the database lies. `folder` belongs to the user that runs PostgreSQL; `cluster` inside it is PostgreSQL's own. */
export interface ClusterPlace {
  folder: string;
  cluster: string;
  user: ServerUser;
}

/** For root only: a place that other users may enter, unlike a home folder. */
export const sharedPlace = '/var/lib/octroi';
const pointerName = 'postgres-place';

function mayWrite(folder: string, user: ServerUser): boolean {
  if (user.ids.uid === undefined) return true;
  const script = 'cd "$1" && touch .try && rm .try';
  return spawnSync('/bin/sh', ['-c', script, 'sh', folder], { ...user.ids, cwd: '/', stdio: 'ignore' }).status === 0;
}

function make(folder: string, user: ServerUser): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(folder, user.ids.uid, user.ids.gid);
}

/** Where the database of a data folder lies, or would lie. */
export function clusterFolder(dataDir: string): string {
  const pointer = join(dataDir, pointerName);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataDir, 'postgres');
}

/**
 * Finds or makes the place of the database that belongs to a data folder: inside of it, or where its pointer file
 * says. Root with a data folder that the lent user may not enter gets a place under /var/lib; `tell` hears of it at each start.
 */
export function findClusterPlace(dataDir: string, tell: (line: string) => void): ClusterPlace {
  const pointer = join(dataDir, pointerName);
  const folder = clusterFolder(dataDir);
  const cluster = join(folder, 'cluster');
  const user = chooseServerUser(cluster);
  if (existsSync(pointer) && !existsSync(cluster)) {
    throw new Error(
      `${pointer} says that the database lies in ${folder}, but there is none. Put it back there, or delete ${pointer} to begin with an empty one.`,
    );
  }
  if (!existsSync(cluster)) make(folder, user);
  if (mayWrite(folder, user)) {
    // At each start: nobody looks for their data outside of their data folder.
    if (existsSync(pointer)) tell(`The database lies in ${folder}, as ${pointer} says. Back up that folder too.`);
    return { folder, cluster, user };
  }
  if (existsSync(cluster)) {
    throw new Error(
      `The user ${user.name}, who runs PostgreSQL, may not enter ${folder}. Allow it on every folder above it: chmod o+x ${dirname(folder)}`,
    );
  }
  return elsewhere(dataDir, pointer, user, tell);
}

function elsewhere(dataDir: string, pointer: string, user: ServerUser, tell: (line: string) => void): ClusterPlace {
  const folder = join(sharedPlace, `${basename(dataDir)}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(sharedPlace, { recursive: true });
    chmodSync(sharedPlace, 0o755);
    make(folder, user);
  } catch {
    // Said below.
  }
  if (!mayWrite(folder, user)) {
    throw new Error(
      `PostgreSQL refuses to run as root, and the user ${user.name}, who runs it instead, may enter neither ${dataDir} nor ${sharedPlace}. ` +
        'Choose a data folder that every user may enter, for example: --data /srv/octroi',
    );
  }
  writeFileSync(pointer, `${folder}\n`);
  tell(`The database lies in ${folder}: its user ${user.name} may not enter ${dataDir}.`);
  return { folder, cluster: join(folder, 'cluster'), user };
}
