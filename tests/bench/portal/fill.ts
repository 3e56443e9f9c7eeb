import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { z } from 'zod';
import { readCatalog } from '#catalog/catalog-files.ts';
import { termsOf } from '#catalog/catalog.ts';
import { type SamplePlan, samplePlan } from '#catalog/sample-plan.ts';
import { openClient } from '#shared/database/clients.ts';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { seed } from '#shared/database/seed.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { benchCatalog } from './portal.ts';
import { sessionToken } from './reads.ts';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export function sampleOf(wanted: { product?: string | undefined; plan?: string | undefined }): SamplePlan {
  const found = samplePlan(readCatalog(benchCatalog), wanted);
  if (found === undefined) throw new Error('The catalogue has no such paid plan: --product, --plan.');
  return found;
}

/** A PostgreSQL of its own, which goes with its data when it is stopped. */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-bench-portal-'));
  chmodSync(folder, 0o711);
  const server = await startEmbedded({ dataDir: folder, logFile: join(folder, 'postgres.log'), durable: false });
  const stop = async (): Promise<void> => {
    await server.stop();
    await removeEmbedded(folder);
  };
  return { databaseUrl: server.databaseUrl, stop };
}

const sizeRow = z.object({ size: z.string() });
const elapsed = (beganMs: number): string => `${Math.round((performance.now() - beganMs) / 1000)} s`;

/** The address of a database of this size at a server: the one there is, or else filled with sample customers, and with what `add` writes. */
export async function fill(
  serverUrl: string,
  {
    customers,
    callersAmong,
    sample,
    add,
  }: { customers: number; callersAmong: number; sample: SamplePlan; add: (client: Client) => Promise<void> },
): Promise<string> {
  const name = `customers_${customers}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const owner = openClient({ connectionString: serverUrl });
  await owner.connect();
  const { rowCount: exists } = await owner.query('select from pg_database where datname = $1', [name]);
  if (exists === 0) await owner.query(`create database ${name}`);
  await owner.end();
  if (exists === 1) return url.href;
  await migrate(url.href);
  const began = performance.now();
  const client = openClient({ connectionString: url.href });
  await client.connect();
  await seed(client, {
    customers,
    callersAmong,
    product: sample.product,
    plan: termsOf(sample.plan, new Date().toISOString().slice(0, 10)),
    token: sessionToken,
    say: (what) => say(`${elapsed(began)} ${what}`),
  });
  await add(client);
  const [database] = checkedRows(
    sizeRow,
    await client.query('select pg_size_pretty(pg_database_size(current_database())) as size'),
  );
  await client.end();
  say(`${customers} customers seeded in ${elapsed(began)}, ${database?.size}`);
  return url.href;
}

/** Replaces the table of a benchmark in docs/performance.md. */
export function writeTable(bench: string, rows: readonly string[]): void {
  const file = projectFolder('docs', 'performance.md');
  const [begin, end] = [`<!-- bench:${bench} begins -->`, `<!-- bench:${bench} ends -->`];
  const text = readFileSync(file, 'utf8');
  const before = text.split(begin)[0] ?? '';
  const after = text.split(end)[1] ?? '\n';
  writeFileSync(file, `${before}${begin}\n\n${rows.join('\n')}\n\n${end}${after}`);
}
