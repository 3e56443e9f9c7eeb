import type { Db, Tx } from '#database/connect.ts';
import { transaction } from '#database/transaction.ts';
import { groupBy } from '#domain/group-by.ts';
import { newId } from '#server/crypto/ids.ts';
import { ProviderRefusal, type ProviderRefund } from '#server/razorpay/razorpay.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { completeRefund, promiseRefund } from './promise-refund.ts';
import { insertRefund, lockRefund, type RefundRow, selectRefund, selectRefunds, updateRefund } from './store.ts';

export { bookForeignRefund, type ForeignRefund } from './foreign.ts';
export { claimDueRefunds, selectRefundsOfPayment } from './store.ts';

/**
 * Starts the one refund of a payment, in the transaction of its cause; a second start for the same payment does nothing.
 * `from`: what the money was captured for. Money of a cycle becomes due by this; other money was due from its capture on.
 */
export async function startRefund(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  refund: {
    paymentId: string;
    cycleId: string;
    amountPaise: number;
    currency: string;
    reason: string;
    from: 'CYCLE' | 'REFUND';
  },
): Promise<void> {
  const { from: _from, currency: _currency, ...kept } = refund;
  const id = newId('RFD');
  const now = new Date(portal.clock());
  const started = await insertRefund(caller, tx, { id, ...kept, now });
  if (!started) return;
  await promiseRefund(portal, caller, tx, { id, ...refund });
}

/**
 * Asks the provider for a refund, or what became of it; once however often it is called, since the refund's id is the
 * idempotency key. Throws when the provider is silent: it is tried again at the time that was planned before. Answers
 * `gone-elsewhere` when the provider says that the money has gone back already: whoever knows of such money books it.
 */
export async function carryOutRefund(portal: Portal, refundId: string): Promise<'gone-elsewhere' | undefined> {
  const found = await selectRefund(portal.db, refundId);
  if (!found || found.status === 'PROCESSED') return undefined;
  const refund = found.status === 'FAILED' ? await beginNextAttempt(portal, refundId) : found;
  const answer = refund.provider_refund_id
    ? await portal.razorpay.readRefund(refund.provider_refund_id)
    : await askForRefund(portal, refund);
  if (answer === 'gone-elsewhere') return answer;
  if (answer) await transaction(portal.db, (tx) => hearOfRefund(portal, tx, refund, answer));
  return undefined;
}

/** The key under which the provider knows an attempt, also as its receipt. What was paid elsewhere since makes another request. */
export function keyOf({ id, attempt, covered_paise: covered }: RefundRow): string {
  return `${id}${attempt === 1 ? '' : `-${attempt}`}${covered === 0 ? '' : `-less-${covered}`}`;
}

async function askForRefund(portal: Portal, refund: RefundRow): Promise<ProviderRefund | 'gone-elsewhere' | undefined> {
  try {
    return await portal.razorpay.createRefund({
      paymentId: refund.payment_id,
      amountPaise: refund.amount_paise - refund.covered_paise,
      key: keyOf(refund),
    });
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    // The provider gave it back by itself, or somebody did on its dashboard.
    if (/fully refunded already|greater than (the )?amount captured/.test(error.message)) return 'gone-elsewhere';
    // Too little balance, or the same request is still under way (409): the money stays due and is asked for again.
    if (error.status !== 409) portal.log.error({ err: error, refundId: refund.id }, 'the provider refused a refund');
    return undefined;
  }
}

/** What the provider says of a refund that it was asked for, or that was made there. */
export async function hearOfRefund(
  portal: Portal,
  tx: Tx,
  asked: RefundRow,
  answer: Pick<ProviderRefund, 'status' | 'id'>,
): Promise<void> {
  const refund = await lockRefund(tx, asked.id);
  // Another process was faster, or an answer about an earlier attempt came late.
  if (refund.status === 'PROCESSED' || refund.status === 'FAILED' || refund.attempt !== asked.attempt) return;
  const provider_refund_id = answer.id;
  if (answer.status === 'pending') {
    await updateRefund(tx, refund.id, { status: 'PENDING', provider_refund_id });
    return;
  }
  if (answer.status === 'failed') {
    portal.log.error({ refundId: refund.id, attempt: refund.attempt }, 'a bank sent a refund back; it is made anew');
    await updateRefund(tx, refund.id, { status: 'FAILED', provider_refund_id });
    return;
  }
  await completeRefund(portal, tx, { ...refund, provider_refund_id });
}

/** What a bank sent back is asked for again under a key of its own: the old key would only repeat the old answer. */
function beginNextAttempt(portal: Portal, refundId: string): Promise<RefundRow> {
  return transaction(portal.db, async (tx) => {
    const refund = await lockRefund(tx, refundId);
    if (refund.status === 'FAILED') {
      await updateRefund(tx, refundId, { status: 'STARTED', attempt: refund.attempt + 1, provider_refund_id: null });
    }
    return lockRefund(tx, refundId);
  });
}

/**
 * What went back to a customer by billing cycle, in paise: all of it, and where the latest of it stands. Money that only pays for
 * another refund is not counted twice.
 */
export async function listRefunds(caller: Caller, db: Db) {
  const refunds = groupBy(await selectRefunds(caller, db), (refund) => refund.cycle_id);
  return new Map(
    [...refunds].map(([cycleId, rows]) => {
      const amountPaise = rows.reduce((sum, row) => sum + row.amount_paise - row.covers_paise, 0);
      const promised = rows.filter((row) => row.amount_paise > row.covers_paise);
      const status = promised.find((row) => row.status !== 'PROCESSED')?.status ?? 'PROCESSED';
      return [cycleId, { amountPaise, status }] as const;
    }),
  );
}
