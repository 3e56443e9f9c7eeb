import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isAlive } from '#database/postmaster.ts';

/** Who holds a data folder, as one line for a person: `process 123, portal http://localhost:4000`. */
type Holder = string;

export class DataDirHeld extends Error {
  override readonly name = 'DataDirHeld';
}

function refusal(dataDir: string, holder: Holder): DataDirHeld {
  return new DataDirHeld(
    `Another Octroi already runs on ${dataDir} (${holder}). Stop it first, or give this one its own data with --data DIR.`,
  );
}

/**
 * Takes a data folder for this process alone, or throws DataDirHeld. The hold ends with the process, also when it is
 * killed: on Linux it is a socket in the kernel's abstract name space, elsewhere a file with the process's number.
 * @returns frees the folder
 */
export async function holdDataDir(dataDir: string, holder: Holder): Promise<() => void> {
  const folder = realpathSync(dataDir);
  return process.platform === 'linux' ? holdBySocket(folder, holder) : holdByFile(folder, holder);
}

async function holdBySocket(folder: string, holder: Holder): Promise<() => void> {
  const name = `\0octroi-${createHash('sha256').update(folder).digest('hex').slice(0, 40)}`;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(holder);
  });
  if (!(await listens(server, name))) throw refusal(folder, await askHolder(name));
  server.unref();
  return () => void server.close();
}

function listens(server: Server, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => ('code' in error && error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(name, () => resolve(true));
  });
}

async function askHolder(name: string): Promise<Holder> {
  const socket = createConnection(name);
  socket.setTimeout(2_000, () => socket.destroy());
  return text(socket).catch(() => 'it does not say which');
}

function holdByFile(folder: string, holder: Holder): () => void {
  const file = join(folder, 'lock');
  const write = () => writeFileSync(file, `${process.pid}\n${holder}\n`, { flag: 'wx', mode: 0o600 });
  try {
    write();
  } catch {
    const [pid, otherHolder] = readFileSync(file, 'utf8').split('\n');
    if (Number(pid) > 0 && isAlive(Number(pid))) throw refusal(folder, otherHolder ?? `process ${pid}`);
    rmSync(file, { force: true });
    write();
  }
  return () => rmSync(file, { force: true });
}
