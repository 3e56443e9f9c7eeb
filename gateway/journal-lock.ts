import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes this process the only one that writes a journal folder. The lock is a listening local socket, which the system frees
 * even after kill -9; on Linux it has no file at all. Throws when another process holds it.
 */
export async function lockJournal(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  const name = `octroi-journal-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`;
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
  if (process.platform !== 'linux' && !(await answers(address))) rmSync(address, { force: true });
  const server = await listen(address).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Another gateway writes the journal in ${folder}. Stop it first, or give this one a JOURNAL_DIR of its own.`,
    );
  });
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(address, () => resolve(server.unref()));
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
