import { parseArgs } from 'node:util';
import { createLog } from '#platform/log.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { readOperatorSettings } from './config.ts';
import { retryRefused } from './features/documents/waiting.ts';
import { openJobs } from './jobs/jobs.ts';
import { withDatabase } from './operator-database.ts';

/** `npm run retry-e-invoice -- OCT/26-27/000001`: makes the running portal register a refused document again. */
async function main(): Promise<void> {
  const [number] = parseArgs({ allowPositionals: true }).positionals;
  if (number === undefined) throw new RangeError('Usage: npm run retry-e-invoice -- NUMBER');
  loadEnvFile();
  const retried = await withDatabase(readOperatorSettings({ env: process.env }), async (db) => {
    const jobs = await openJobs(db, createLog('operator', { level: 'error' }));
    try {
      return await retryRefused({ db, jobs }, number);
    } finally {
      await jobs.stop();
    }
  });
  if (!retried) throw new RangeError(`The invoice portal has not refused ${number}.`);
  process.stdout.write(`The running portal will register ${number} again.\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
