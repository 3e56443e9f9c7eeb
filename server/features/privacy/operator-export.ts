import type { Readable } from 'node:stream';
import { transaction } from '#shared/database/transaction.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import type { Portal } from '#server/portal.ts';
import { exportCustomer } from './export.ts';

/**
 * Everything that is kept about a customer as one ZIP, for an operator. Reading it all changes nothing, but the customer may know who did and
 * why: the entry in the audit log comes first, so that no export is without one, and is in the export itself.
 */
export async function exportForOperator(
  source: Pick<Portal, 'db' | 'clock' | 'documentFiles' | 'requestLog'>,
  customerId: string,
  cause: OperatorCause,
  progress: (part: string) => void,
): Promise<Readable> {
  await transaction(source.db, (tx) =>
    recordAction(tx, { ...cause, action: 'customers.export', target: customerId, customerId, effect: {} }),
  );
  return exportCustomer(source, { customerId }, progress);
}
