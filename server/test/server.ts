import { chmodSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { z } from 'zod';
import { connect } from '#shared/database/connect.ts';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { createRoles, rolesNamed, urlsOfRoles } from '#shared/database/roles.ts';
import { onDatabase } from '#shared/database/test-roles.ts';
import { rolePrefix, type serverUrls, templateName } from '#shared/database/test-template.ts';
import { createLog } from '#shared/platform/log.ts';
import { openJobs } from '#server/jobs/jobs.ts';

type ServerUrls = z.output<typeof serverUrls>;

async function startTestServer(folder: string): Promise<ServerUrls> {
  const { databaseUrl } = await startEmbedded({
    dataDir: folder,
    logFile: join(folder, 'postgres.log'),
    durable: false,
  });
  await onDatabase(databaseUrl, (client) => client.query(`create database ${templateName}`));
  const template = new URL(databaseUrl);
  template.pathname = `/${templateName}`;
  await migrate(template.href);
  await createQueue(template.href);
  const passwords = await onDatabase(template.href, (client) => createRoles(client, rolePrefix));
  return { owner: databaseUrl, ...urlsOfRoles(databaseUrl, rolesNamed(rolePrefix), passwords) };
}

/** As `octroi database roles` does it: the user of the processes may not create the queue's schema. */
async function createQueue(databaseUrl: string): Promise<void> {
  const connection = connect(databaseUrl, { applicationName: 'octroi test' });
  await (await openJobs(connection.db, createLog('test', { level: 'silent' }), { onlySends: true })).stop();
  await connection.close();
}

/** Vitest's global set-up: one PostgreSQL for the whole run, started when the first test asks for a database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  let server: Promise<ServerUrls> | undefined;
  const answering = createServer((socket) => {
    socket.on('error', () => {});
    server ??= startTestServer(folder);
    server.then(
      (urls) => socket.end(JSON.stringify(urls)),
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
