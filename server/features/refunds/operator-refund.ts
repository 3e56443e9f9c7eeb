import type { Tx } from '#database/connect.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Caller } from '#server/portal.ts';
import { promiseRefund } from './promise-refund.ts';
import { insertOperatorRefund } from './store.ts';

/**
 * Starts a refund that an operator decided, in the transaction that writes the audit log and ends what has no money left. Requires the
 * activation's lock. Returns its id; undefined when the same amount of this cycle was refunded for the same reason before.
 */
export async function startOperatorRefund(
  issuer: Issuer,
  caller: Caller,
  tx: Tx,
  refund: { paymentId: string; cycleId: string; amountPaise: number; currency: string; reason: string },
): Promise<string | undefined> {
  const { currency: _currency, ...kept } = refund;
  const id = newId('RFD');
  const payout = await insertOperatorRefund(caller, tx, { id, ...kept, now: new Date(issuer.clock()) });
  if (!payout) return undefined;
  await promiseRefund(issuer, caller, tx, { id, ...refund, from: 'CYCLE', payout });
  return id;
}
