import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connect } from '#database/connect.ts';
import { type EmbeddedServer, startEmbedded } from '#database/embedded.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';

/**
 * Verifies all money in a database: the ledger's hash chain is intact, every entry sums to zero, and payments, cycles
 * and refunds agree with it. Uses the database in DATABASE_URL, else the one in DATA_DIR, running or not.
 */
async function main(): Promise<void> {
  const given = process.env['DATABASE_URL'];
  const dataDir = resolve(process.env['DATA_DIR'] ?? projectFolder('data'));
  const embedded = given ? undefined : await openEmbedded(dataDir);
  const connection = connect(given ?? embedded?.databaseUrl ?? '', {
    applicationName: 'octroi verify-ledger',
    statementTimeoutMs: 600_000,
  });
  try {
    const { position, hash, faults } = await verifyLedgerOf(connection.db);
    for (const fault of faults) console.error(`  ✗ ${fault}`);
    console.log(`${position} entries, the last hash is ${hash.toString('hex')}`);
    console.log(faults.length === 0 ? 'The ledger is correct.' : `${faults.length} faults.`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await connection.close();
    // An already running one keeps running.
    if (embedded && !embedded.attached) await embedded.stop();
  }
}

/** The database of a data folder; none is created. */
async function openEmbedded(dataDir: string): Promise<EmbeddedServer> {
  if (!existsSync(join(dataDir, 'postgres-port'))) {
    throw new Error(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL.`);
  }
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  return startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log') });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
