import { chmodSync, mkdtempSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openClient } from './clients.ts';
import { type EmbeddedServer, removeEmbedded, startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { isAlive } from './postmaster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A local socket that returns the address of the test server, or a line that starts with "!". */
    testServerSocket: string;
  }
}

export const templateName = 'octroi_template';
const prefix = 'octroi-test-';

async function startTestServer(folder: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir: folder, logFile: join(folder, 'postgres.log'), durable: false });
  const client = openClient({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(`create database ${templateName}`);
  await client.end();
  const template = new URL(server.databaseUrl);
  template.pathname = `/${templateName}`;
  await migrate(template.href);
  return server;
}

/** Servers of runs that were killed before they could clean up; the folder's name contains the run's process number. */
async function removeAbandonedServers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const owner = Number(name.slice(prefix.length).split('-')[0]);
    if (owner > 0 && !isAlive(owner)) await removeEmbedded(join(tmpdir(), name)).catch(() => {});
  }
}

/** Vitest's global set-up: one PostgreSQL for the whole run, started when the first test asks for a database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandonedServers();
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  let server: Promise<EmbeddedServer> | undefined;
  const answering = createServer((socket) => {
    socket.on('error', () => {});
    server ??= startTestServer(folder);
    server.then(
      ({ databaseUrl }) => socket.end(databaseUrl),
      (error: unknown) => socket.end(`!${error instanceof Error ? error.message : String(error)}`),
    );
  });
  const socketPath = join(folder, 'socket');
  await new Promise<void>((resolve) => answering.listen(socketPath, resolve));
  project.provide('testServerSocket', socketPath);
  return async () => {
    answering.close();
    await server?.catch(() => {});
    await removeEmbedded(folder);
  };
}
