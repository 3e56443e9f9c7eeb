import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { openClient } from '#shared/database/clients.ts';
import { applyMigrations, readMigrations } from '#shared/database/migrate.ts';
import { nextMove } from '#shared/database/setback.ts';
import type { Log } from '#shared/platform/log.ts';
import type { DocumentFiles } from '#server/document-files/document-files.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { readFacts } from './create-backup.ts';
import { jobTable, listTables, selection, type StoredTable } from './dump-tables.ts';
import { startLoading } from './load-tables.ts';
import { BackupFault, type Manifest } from './manifest.ts';
import { makeTables, withConnection } from './restore-backup.ts';

export interface Copied {
  tables: number;
  rows: number;
  ledger: Manifest['ledger'];
}

/**
 * Copies everything from one database into an empty one, which may be of another major version. Nothing is lost on the way, so sessions stay
 * and documents go on in their series. Throws if a single byte of a table differs, or the ledger does not hold.
 */
export async function copyDatabase(
  from: string,
  to: string,
  { log, say, files }: { log: Log; say: (line: string) => void; files: DocumentFiles },
): Promise<Copied> {
  const source = openClient({ connectionString: from, application_name: 'octroi upgrade' });
  const target = openClient({ connectionString: to, application_name: 'octroi upgrade' });
  try {
    await Promise.all([source.connect(), target.connect()]);
    await begin(source, 'isolation level repeatable read read only');
    const facts = await readFacts(source);
    await makeTables(target, { ...facts, octroi: 'another version' });
    await withConnection(to, async (db) => (await openJobs(db, log, { onlySends: true })).stop());
    await begin(target, '');
    const stored = await listTables(source);
    const tables: Manifest['tables'] = Object.fromEntries(
      stored.map(({ name, columns }) => [name, { columns, rows: 0 }]),
    );
    const loader = await startLoading(target, tables);
    const hashes = new Map<string, string>();
    for (const table of stored) {
      const { hash, rows } = await read(source, table, (part) => loader.load(table.name, part));
      hashes.set(table.name, hash);
      tables[table.name] = { columns: table.columns, rows };
    }
    await loader.finish(tables);
    say('Comparing …');
    for (const table of stored) {
      // The library's own partitions, of which the order is not ours.
      if (table.name === jobTable) continue;
      const { hash } = await read(target, table, async () => {});
      if (hash !== hashes.get(table.name)) throw new BackupFault(`The copy of ${table.name} differs.`);
    }
    await keepPlace(source, target);
    await target.query('commit');
    await applyMigrations(target, readMigrations());
    // A new cluster knows nothing of its tables, and would plan badly.
    await target.query('analyze');
    say('Verifying the ledger …');
    const { faults } = await withConnection(to, (db) => verifyLedgerOf(db, { files }));
    if (faults.length > 0) throw new BackupFault(`The ledger does not hold: ${faults.join('; ')}`);
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    return { tables: stored.length, rows, ledger: facts.ledger };
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

/**
 * Documents go on in their series where the copy has everything; not where the source itself had come from elsewhere unnoticed. It is a move: who goes
 * back to the source lacks what happened in the copy, and processes notice.
 */
export async function keepPlace(source: ClientBase, target: ClientBase): Promise<void> {
  await target.query(`update installation set moved_at = ${nextMove}`);
  const found = await source.query('select from installation where runs_on = database_place()');
  if (found.rowCount === 1) await target.query('update installation set runs_on = database_place()');
}

async function begin(client: ClientBase, mode: string): Promise<void> {
  await client.query(`begin ${mode}`);
  await client.query('set local statement_timeout = 0');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  // Rows come as they are stored, from the first one on, so that both databases give them in one order.
  await client.query('set local synchronize_seqscans = off');
}

async function read(
  client: ClientBase,
  table: StoredTable,
  use: (part: Buffer) => Promise<void>,
): Promise<{ hash: string; rows: number }> {
  const stream = client.query(copyTo(`copy (${selection(table)}) to stdout`));
  const hash = createHash('sha256');
  for await (const part of stream) {
    if (!Buffer.isBuffer(part)) continue;
    hash.update(part);
    await use(part);
  }
  return { hash: hash.digest('hex'), rows: stream.rowCount };
}
