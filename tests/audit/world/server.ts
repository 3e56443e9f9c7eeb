import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { valueParsers } from '#shared/database/value-parsers.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** A real PostgreSQL for the audit, in a temporary folder. */
export interface DatabaseServer {
  /** Creates an empty, migrated database and returns its address. */
  create: (name: string) => Promise<string>;
  /** Stops the server as a failing machine would, and starts it again on the same data. */
  restart: () => Promise<void>;
  remove: () => Promise<void>;
}

const template = 'audit_template';
const folders = new Set<string>();

/** Stops and removes every server of this process, for when it is interrupted. */
export async function removeServers(): Promise<void> {
  await Promise.all([...folders].map((folder) => removeEmbedded(folder)));
}

export async function startServer(): Promise<DatabaseServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'octroi-audit-'));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o711);
  folders.add(dataDir);
  const options = { dataDir, logFile: join(dataDir, 'postgres.log') };
  let server = await startEmbedded(options);
  const run = async (statement: string) => {
    await query(server.databaseUrl, statement);
  };
  await run(`create database ${template}`);
  await migrate(addressOf(server.databaseUrl, template));
  return {
    create: async (name) => {
      await run(`create database ${name} template ${template}`);
      return addressOf(server.databaseUrl, name);
    },
    restart: async () => {
      process.kill(server.pid, 'SIGQUIT');
      server = await startEmbedded(options);
    },
    remove: async () => {
      await removeEmbedded(dataDir);
      folders.delete(dataDir);
    },
  };
}

function addressOf(databaseUrl: string, name: string): string {
  const address = new URL(databaseUrl);
  address.pathname = `/${name}`;
  return address.href;
}

/** Runs one statement on a connection of its own. */
export async function query(databaseUrl: string, text: string, values: unknown[] = []) {
  const client = openClient({ connectionString: databaseUrl, types: valueParsers });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** The rows of one statement, checked. */
export async function rowsOf<Row extends z.ZodType>(databaseUrl: string, row: Row, text: string, values?: unknown[]) {
  return checkedRows(row, await query(databaseUrl, text, values));
}
