import { parseArgs } from 'node:util';
import { type CancelReason, cancelReasons } from '#domain/e-invoice.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { eInvoiceAccountOf, readDocumentSettings, readOperatorSettings } from './config.ts';
import { readCurrentCatalog } from './current-catalog.ts';
import { cancelEInvoice } from './features/documents/replace.ts';
import { createGspEInvoices } from './e-invoice/gsp.ts';
import { openJobs } from './jobs/jobs.ts';
import { withDatabase } from './operator-database.ts';
import { subscribers } from './subscribers.ts';

const reasons = Object.keys(cancelReasons).join(' | ');

/**
 * `npm run cancel-e-invoice -- OCT/26-27/000001 data-entry-mistake "Wrong buyer"`: cancels the registration of an invoice
 * within 24 hours and issues a replacement to the buyer in the current business profile.
 */
async function main(): Promise<void> {
  const [number, reason, remark] = parseArgs({ allowPositionals: true }).positionals;
  if (number === undefined || !isReason(reason) || remark === undefined) {
    throw new RangeError(`Usage: npm run cancel-e-invoice -- NUMBER (${reasons}) "REMARK"`);
  }
  loadEnvFile();
  const settings = readDocumentSettings({ env: process.env });
  const account = eInvoiceAccountOf(settings);
  const replaced = await withDatabase(readOperatorSettings({ env: process.env }), async (db) => {
    const log = createLog('operator', { level: 'error' });
    const jobs = await openJobs(db, log);
    const { catalog, remove } = await readCurrentCatalog(db, settings.catalogDir);
    const eInvoices = account && createGspEInvoices(account, systemClock);
    try {
      return await cancelEInvoice(
        { db, jobs, log, settings, catalog, eInvoices, subscribers, clock: systemClock },
        number,
        reason,
        remark,
      );
    } finally {
      remove();
      await jobs.stop();
    }
  });
  process.stdout.write(`${replaced.cancelled} is cancelled; ${replaced.replacedBy} replaces it.\n`);
}

function isReason(text: string | undefined): text is CancelReason {
  return text !== undefined && Object.hasOwn(cancelReasons, text);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
