import { chmodSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openClient } from './clients.ts';
import { type EmbeddedServer, removeEmbedded, startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A local socket that returns the address of the test server, or a line that starts with "!". */
    testServerSocket: string;
  }
}

export const templateName = 'octroi_template';

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

/** Vitest's global set-up: one PostgreSQL for the whole run, started when the first test asks for a database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
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
