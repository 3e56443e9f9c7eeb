import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** The operating system user that runs PostgreSQL. `ids` is empty when that is the user who started Octroi. */
export interface ServerUser {
  name: string;
  ids: { uid?: number; gid?: number };
}

/** The owner of an existing PostgreSQL data folder, if there is one. */
function ownerOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.uid;
}

function account(wanted: string | number): ServerUser | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const line of lines) {
    const [name = '', , uid, gid] = line.split(':');
    if (name === wanted || Number(uid) === wanted) return { name, ids: { uid: Number(uid), gid: Number(gid) } };
  }
  return undefined;
}

function createAccount(name: string): void {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', name], {
      stdio: 'ignore',
    });
  } catch {
    // No useradd on this machine, or /etc is read-only: `nobody` is tried next.
  }
}

/**
 * PostgreSQL refuses to run as root, so under root it runs as another user: the one who owns the data already, else
 * `postgres` (created when absent), else `nobody`. Any other user runs it directly.
 */
export function chooseServerUser(clusterFolder: string): ServerUser {
  const self = process.getuid?.();
  const owner = ownerOf(clusterFolder);
  if (self !== 0) {
    if (self !== undefined && owner !== undefined && owner !== self) {
      throw new Error(
        `The database in ${clusterFolder} belongs to another user (${account(owner)?.name ?? owner}). ` +
          'Start Octroi as that user or as root, or choose another folder with --data.',
      );
    }
    return { name: 'the current user', ids: {} };
  }
  const owning = owner === undefined || owner === 0 ? undefined : account(owner);
  if (owning !== undefined) return owning;
  if (account('postgres') === undefined) createAccount('postgres');
  const lent = account('postgres') ?? account('nobody');
  if (lent === undefined) {
    throw new Error(
      'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor a user nobody to run it as. ' +
        'Start Octroi as an ordinary user, or create a user named postgres.',
    );
  }
  return lent;
}
