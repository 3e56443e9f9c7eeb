import { sql } from 'kysely';
import { countUnconfirmedChanges } from '#shared/database/access.ts';
import { readSetback } from '#shared/database/setback.ts';
import { dayOf } from '#shared/domain/day.ts';
import { lateRefundMs } from '#shared/domain/refund.ts';
import { readEInvoiceHealth, readLettersHealth, readNumbersHealth } from './features/documents/documents.ts';
import { readLedgerHealth } from './features/ledger/ledger.ts';
import { readMoneyElsewhere } from './features/payments/elsewhere-health.ts';
import { readUnsettled } from './features/payments/unsettled.ts';
import { readRefundsHealth } from './features/refunds/refunds.ts';
import { readSettlementHealth } from './features/settlements/settlements.ts';
import { readTimesAhead } from './times-ahead.ts';
import { readTimedWork } from './rounds/failed-work.ts';
import type { Portal } from './portal.ts';
import { describeSignature } from './signature/certificate-watch.ts';

/**
 * Health for the operator. `failing`: the ledger verification found a fault, a captured payment can't be settled, a refund is not paid for too long, PDFs of documents can't be
 * read or written, the request log can't be read, work that is due by time fails for an hour, portals have different settings of documents, the database may lack its last changes, a stored time lies ahead, or a part couldn't be read; that part is then null and the others are still there. Throws when the database is unavailable, so that the response is a 503.
 */
export async function readHealth(portal: Portal) {
  await sql`select 1`.execute(portal.db);
  const read = async <Part>(part: string, from: Promise<Part>): Promise<Part | null> => {
    try {
      return await from;
    } catch (error) {
      portal.log.error({ err: error, part }, 'a part of the health report could not be read');
      return null;
    }
  };
  const [
    ledger,
    unsettledPayments,
    refunds,
    movedAtProvider,
    settlements,
    eInvoices,
    unconfirmed,
    documentNumbers,
    documentFiles,
    timedWork,
    portals,
    timesAhead,
    database,
    requestLog,
  ] = await Promise.all([
    read('ledger', readLedgerHealth(portal)),
    read('unsettledPayments', readUnsettled(portal)),
    read('refunds', readRefundsHealth(portal)),
    read('movedAtProvider', readMoneyElsewhere(portal)),
    read('settlements', readSettlementHealth(portal)),
    read('eInvoices', readEInvoiceHealth(portal)),
    read('accessChanges', countUnconfirmedChanges(portal.db)),
    read('documentNumbers', readNumbersHealth(portal)),
    read('documentFiles', portal.documentFilesHealth()),
    read('timedWork', readTimedWork(portal)),
    read('portals', readPortalsHealth(portal)),
    read('timesAhead', readTimesAhead(portal)),
    read('database', readDatabaseHealth(portal)),
    read('requestLog', readLogHealth(portal)),
  ]);
  const accessChanges = unconfirmed === null ? null : { unconfirmed };
  const signature = describeSignature(portal);
  const lettersOfUndertaking = readLettersHealth(portal);
  const parts = {
    ledger,
    unsettledPayments,
    refunds,
    movedAtProvider,
    settlements,
    eInvoices,
    accessChanges,
    documentNumbers,
    documentFiles,
    timedWork,
    portals,
    timesAhead,
    database,
    requestLog,
    signature,
    lettersOfUndertaking,
  };
  const isHealthy =
    ledger?.ok === true &&
    unsettledPayments?.count === 0 &&
    (refunds?.oldestSeconds ?? 0) * 1000 < lateRefundMs &&
    documentFiles?.ok === true &&
    timedWork?.ok === true &&
    portals?.differing.length === 0 &&
    timesAhead?.length === 0 &&
    database?.setback === null &&
    !Object.values(parts).includes(null);
  return { status: isHealthy ? 'ok' : 'failing', ...parts };
}

/** Whether all portals have the same settings of documents. Names of machines are not for everyone. */
async function readPortalsHealth({ db, presence }: Portal) {
  return presence?.compare(db) ?? { running: 1, differing: [] };
}

/** Whether the log can be read where it lies. */
async function readLogHealth({ requestLog, clock }: Portal) {
  await requestLog.callsOn('', dayOf(clock()));
  return { apart: requestLog.isApart };
}

/** What happened to the database that an operator has to finish. */
async function readDatabaseHealth({ db }: Portal) {
  return { setback: (await readSetback(db))?.setback ?? null };
}

/** Reads the health for all who ask meanwhile, because anyone may ask. */
export function shareHealth(portal: Portal): () => ReturnType<typeof readHealth> {
  let reading: ReturnType<typeof readHealth> | undefined;
  return () => (reading ??= readHealth(portal).finally(() => (reading = undefined)));
}
