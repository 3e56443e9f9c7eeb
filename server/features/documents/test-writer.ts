import { readCatalog } from '#catalog/catalog-files.ts';
import { connect } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { testDocument } from '#shared/domain/test-document.ts';
import { patientPool } from '#shared/platform/test-patience.ts';
import { postgresReader } from '#shared/request-log/postgres-reader.ts';
import { createLog } from '#shared/platform/log.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { readSettlementSettings } from '#server/config.ts';
import { readDocumentSettings } from '#server/document-settings.ts';
import { subscribers } from '#server/subscribers.ts';
import { hasPaid } from './buyer-status.ts';
import { issueDocument } from './issue.ts';

/** The task of a writer process of the numbering tests. */
export interface WriterTask {
  databaseUrl: string;
  customerId: string;
  /** The cycles to invoice; the payment of each is `pay_` followed by the cycle's id. */
  cycleIds: string[];
  writers: number;
  /** The time of the year's change: by this process's clock, half of the cycles are invoiced before it. */
  turnMs: number;
}

class GivenUp extends Error {}

/**
 * Issues an invoice for each cycle that has none yet, many in parallel, with the real function and real transactions; every tenth
 * transaction is rolled back after it has taken its number, and retried.
 */
export async function writeInvoices(task: WriterTask): Promise<void> {
  // All writers take their numbers in turn, so the last of them waits as long as the others need together.
  const options = { ...patientPool, applicationName: 'octroi test writer', maxConnections: 30 };
  const { db, close } = connect(task.databaseUrl, options);
  const log = createLog('portal', { level: 'error' });
  const jobs = await openJobs(db, log);
  const settings = { ...readDocumentSettings({ env: {} }), ...readSettlementSettings({ env: {} }) };
  const catalog = readCatalog(settings.catalogDir);
  const written = await db.selectFrom('documents').select('cycle_id').execute();
  const known = new Set(written.map((row) => row.cycle_id));
  const open = task.cycleIds.filter((id) => !known.has(id));
  let issued = task.cycleIds.length - open.length;
  const clock = () => task.turnMs + (issued - task.cycleIds.length / 2) * 10 + Math.round(Math.random() * 40 - 20);
  const issue = (cycleId: string, giveUp: boolean) =>
    transaction(db, async (tx) => {
      const content = { ...testDocument().content, paymentId: `pay_${cycleId}` };
      const document = { kind: 'INVOICE', cycleId, content, buyer: hasPaid } as const;
      await issueDocument(
        {
          db,
          requestLog: postgresReader(db),
          clock,
          settings,
          jobs,
          log,
          catalog,
          subscribers,
          eInvoices: undefined,
          taxpayers: undefined,
        },
        task,
        tx,
        document,
      );
      if (giveUp) throw new GivenUp();
    });
  const writer = async (): Promise<void> => {
    for (let cycleId = open.pop(); cycleId !== undefined; cycleId = open.pop()) {
      if (Math.random() < 0.1) {
        await issue(cycleId, true).catch((error: unknown) => {
          if (!(error instanceof GivenUp)) throw error;
        });
      }
      await issue(cycleId, false);
      issued += 1;
    }
  };
  await Promise.all(Array.from({ length: task.writers }, writer));
  await jobs.stop();
  await close();
}
