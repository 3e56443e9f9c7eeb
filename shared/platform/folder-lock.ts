import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The purposes of a lock. The names never change: a process of an older version uses the same lock. */
const lockNames = {
  data: (hash: string) => `octroi-${hash.slice(0, 40)}`,
  journal: (hash: string) => `octroi-journal-${hash.slice(0, 32)}`,
};

/** Another process has locked the folder. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked';
  /** How that process describes itself, for a person; empty when it doesn't. */
  readonly holder: string;
  constructor(folder: string, holder: string) {
    super(`Another process has locked ${folder}`);
    this.holder = holder;
  }
}

/**
 * Locks a folder for this process, or throws FolderLocked. The lock is a listening local socket, which the system frees
 * when the process ends, even after kill -9.
 * @param holder how this process describes itself to one that finds the folder locked
 * @returns unlocks the folder
 */
export async function lockFolder(
  folder: string,
  purpose: keyof typeof lockNames,
  holder: string,
): Promise<() => Promise<void>> {
  const real = realpathSync(folder);
  const address = addressOf(lockNames[purpose](createHash('sha256').update(real).digest('hex')));
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(holder, () => socket.destroy());
  });
  // A socket file outlives its process.
  if (isFile && (await askHolder(address)) === undefined) rmSync(address, { force: true });
  if (!(await listens(server, address))) throw new FolderLocked(real, (await askHolder(address)) ?? '');
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

const isFile = process.platform !== 'linux' && process.platform !== 'win32';

function addressOf(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** False when another process is listening. */
function listens(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => ('code' in error && error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(address, () => resolve(true));
  });
}

/** The response of the listening process; undefined when none is listening. */
async function askHolder(address: string): Promise<string | undefined> {
  const socket = createConnection(address);
  let isConnected = false;
  socket.once('connect', () => (isConnected = true));
  socket.setTimeout(2_000, () => socket.destroy());
  return text(socket).catch(() => (isConnected ? '' : undefined));
}
