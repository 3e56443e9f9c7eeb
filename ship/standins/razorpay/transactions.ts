import type { ReconItem } from '#ship/standins/razorpay/entities.ts';
import { idFrom } from '#ship/standins/razorpay/ids.ts';
import type { Ledger, PaymentRecord } from '#ship/standins/razorpay/ledger.ts';

type State = Ledger['state'];
type Facts = Pick<ReconItem, 'entity_id' | 'type' | 'amount' | 'created_at'> & Partial<ReconItem>;

/** A line of the settlement recon in Razorpay's form, not settled yet. */
function lineOf(facts: Facts, record?: PaymentRecord): ReconItem {
  return {
    debit: 0,
    credit: 0,
    currency: 'INR',
    fee: 0,
    tax: 0,
    on_hold: false,
    settled: false,
    settled_at: null,
    settlement_id: null,
    posted_at: null,
    credit_type: 'default',
    description: null,
    notes: null,
    payment_id: null,
    settlement_utr: null,
    order_id: record?.payment.order_id ?? null,
    order_receipt: null,
    method: record?.payment.method ?? null,
    card_network: record?.card?.network ?? null,
    card_issuer: record?.card?.issuer ?? null,
    card_type: record?.card?.type ?? null,
    dispute_id: null,
    ...facts,
  };
}

/** Everything that moved the balance so far: captured payments, refunds, disputes, adjustments. */
export function transactionsOf(state: State): ReconItem[] {
  return [...paymentLines(state), ...refundLines(state), ...disputeLines(state), ...adjustmentLines(state)];
}

function paymentLines({ payments, orders }: State): ReconItem[] {
  return [...payments.values()]
    .filter(({ payment }) => payment.captured)
    .map((record) => {
      const { id, amount, created_at } = record.payment;
      // `fee` includes its GST.
      const [fee, tax] = [record.payment.fee ?? 0, record.payment.tax ?? 0];
      const order_receipt = orders.get(record.payment.order_id ?? '')?.order.receipt ?? null;
      const facts = { entity_id: id, type: 'payment', amount, fee, tax, credit: amount - fee, created_at } as const;
      return lineOf({ ...facts, order_receipt }, record);
    });
}

/** A refund is debited when it is created; one that a bank returned is credited again as an adjustment. */
function refundLines({ refunds, payments }: State): ReconItem[] {
  return [...refunds.values()].flatMap((refund) => {
    const { id, amount, payment_id, created_at } = refund;
    const record = payments.get(payment_id);
    // A payment that was refunded before it was captured never was on the balance.
    if (!record?.payment.captured) return [];
    const debit = lineOf({ entity_id: id, type: 'refund', amount, debit: amount, payment_id, created_at }, record);
    if (refund.status !== 'failed') return [debit];
    const entity_id = `adj_${idFrom(`${id}:returned`)}`;
    const description = `Reversal of ${id}`;
    return [
      debit,
      lineOf({ entity_id, type: 'adjustment', amount, credit: amount, payment_id, description, created_at }),
    ];
  });
}

/** The amount that a dispute takes, and its return when a dispute that had taken it is won or closed. */
function disputeLines({ disputes, settlementItems }: State): ReconItem[] {
  return [...disputes.values()].flatMap((dispute) => {
    const { id: dispute_id, amount, created_at } = dispute;
    const taken = {
      entity_id: `adj_${idFrom(`${dispute_id}:taken`)}`,
      type: 'adjustment',
      amount,
      dispute_id,
    } as const;
    const debit = lineOf({ ...taken, debit: amount, description: `Dispute ${dispute_id}`, created_at });
    if (dispute.amount_deducted > 0) return [debit];
    if (!settlementItems.has(taken.entity_id)) return [];
    const entity_id = `adj_${idFrom(`${dispute_id}:returned`)}`;
    const description = `Dispute ${dispute_id} reversed`;
    return [debit, lineOf({ ...taken, entity_id, credit: amount, description, created_at })];
  });
}

function adjustmentLines({ adjustments }: State): ReconItem[] {
  return [...adjustments.values()].map(({ id, amount, description, created_at }) =>
    lineOf({
      entity_id: id,
      type: 'adjustment',
      amount: Math.abs(amount),
      credit: Math.max(0, amount),
      debit: Math.max(0, -amount),
      description,
      created_at,
    }),
  );
}
