import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import type { Deduction } from '#shared/domain/bank-transfer.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { entryOfCapture } from '#shared/domain/ledger.ts';
import { formatRupees, rupees, toPaise } from '#shared/domain/money.ts';
import { readUtr } from '#shared/domain/refund-payout.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import {
  byTransfer,
  insertReceived,
  otherMoneyOf,
  selectDeclared,
} from '#server/features/bank-transfers/bank-transfers.ts';
import { returnUnitsBeforeSwitch } from '#server/features/cycles/cycles.ts';
import { happened } from '#server/features/events/events.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { findOrder } from './payment-file.ts';
import { lockForSettling, type OrderRow, selectFirstOrdered, upsertPayment } from './store.ts';
import { payCycles, requireNoDebit, whyUnusable } from './use-money.ts';
import { deductionsOf, withheldOf } from './withheld.ts';

/** Bank transfers to the provider's own account, which an operator has seen on its statement (decision 075). */

type Recorded = OperatorReply<'recordReceivedTransfer'>;
interface Received {
  paise: number;
  utr: string;
  on: Day;
}

function receivedOf(
  context: OperatorContext,
  { amount, utr: typed, on }: OperatorInput<'recordReceivedTransfer'>,
): Received {
  const utr = readUtr(typed);
  if (utr === undefined)
    throw new OperatorRefusal(
      `${typed} is not the number of a transfer: 6 to 30 letters and digits.`,
      'invalid_request',
    );
  if (on > dayOf(context.clock())) throw new OperatorRefusal(`${on} is not over yet.`, 'invalid_request');
  return { paise: toPaise(amount), utr, on };
}

/** What a transfer of this amount is: the bill, or the bill less tax. Throws OperatorRefusal for any other amount. */
function deductionIn(order: OrderRow, deductions: readonly Deduction[], paise: number): Deduction | undefined {
  if (paise === order.amount_paise) return undefined;
  const deduction = deductions.find((each) => order.amount_paise - each.paise === paise);
  if (deduction) return deduction;
  const less = deductions.map(
    (each) => `${formatRupees(order.amount_paise - each.paise)} less TDS at ${each.percent} %`,
  );
  throw new OperatorRefusal(
    `${formatRupees(paise)} is not what is due for ${order.id}: ${[formatRupees(order.amount_paise), ...less].join(', or ')}. Return it from your bank account.`,
  );
}

/** What the transfer would pay, under the lock of the activation. Throws OperatorRefusal where it can't. */
async function findBill(context: OperatorContext, tx: Tx, order: OrderRow, received: Received) {
  const locked = await lockForSettling(tx, order);
  const owner = { customerId: order.customer_id };
  const other = await otherMoneyOf(tx, received.utr);
  if (other !== undefined)
    throw new OperatorRefusal(
      `The transfer ${received.utr} is known already: it is the number of ${other}.`,
      'nothing_to_change',
    );
  const first = await selectFirstOrdered(tx, order.id);
  if (received.on < first)
    throw new OperatorRefusal(
      `The day of the transfer is between ${first}, when the bill was made, and today.`,
      'invalid_request',
    );
  const deduction = deductionIn(order, await deductionsOf(context, tx, order), received.paise);
  const withheldPaise =
    deduction === undefined ? [] : await withheldOf(context, owner, tx, locked.cycles, deduction.percent);
  const money = {
    paymentId: newId('TRF'),
    amountPaise: received.paise,
    currency: order.currency,
    isGone: false,
    utr: received.utr,
    withheldPaise,
  };
  const reason = await whyUnusable(context, tx, order, locked, money);
  if (reason !== undefined)
    throw new OperatorRefusal(`It can’t pay: ${reason}. Return it from your bank account; nothing was recorded.`);
  await requireNoDebit(context, tx, order, locked.cycles);
  const [cycle] = locked.cycles;
  const customer = await tx
    .selectFrom('customers')
    .select('name')
    .where('id', '=', order.customer_id)
    .executeTakeFirstOrThrow();
  const shown: Recorded = {
    paymentId: null,
    orderId: order.id,
    customerId: order.customer_id,
    customer: customer.name,
    planName: cycle?.plan.name ?? '',
    amount: rupees(received.paise),
    due: rupees(order.amount_paise),
    tds: rupees(deduction?.paise ?? 0),
    percent: deduction?.percent ?? null,
    utr: received.utr,
    on: received.on,
    effectiveBy: null,
  };
  return { cycles: locked.cycles, deduction, money, shown };
}

/** What recording a transfer would do. */
export async function previewRecording(
  context: OperatorContext,
  input: OperatorInput<'recordReceivedTransfer'>,
): Promise<Recorded> {
  const received = receivedOf(context, input);
  const order = await findOrder(context.db, input.of.trim());
  const { shown } = await context.db.transaction().execute((tx) => findBill(context, tx, order, received));
  return shown;
}

/** Records it: the bill is paid, as by any other payment, and what the customer gets back later goes by transfer. */
export async function recordReceived(
  context: OperatorContext,
  input: OperatorInput<'recordReceivedTransfer'>,
  cause: OperatorCause,
): Promise<Recorded> {
  const received = receivedOf(context, input);
  const order = await findOrder(context.db, input.of.trim());
  const owner = { customerId: order.customer_id };
  const { activation_id: activationId, cycle_id: cycleId } = order;
  await returnUnitsBeforeSwitch(context.db, owner, { activationId, cycleId });
  const { result, effectiveBy } = await changeAccess(context, (change) =>
    record(context, change, order, received, cause),
  );
  return { ...result, effectiveBy };
}

async function record(
  context: OperatorContext,
  change: AccessChange,
  order: OrderRow,
  received: Received,
  cause: OperatorCause,
): Promise<Recorded> {
  const { tx } = change;
  const owner = { customerId: order.customer_id };
  const { cycles, deduction, money, shown } = await findBill(context, tx, order, received);
  const { paymentId, currency } = money;
  const now = new Date(context.clock());
  const declared = await selectDeclared(owner, tx);
  const tan = declared?.tds_percent === deduction?.percent ? (declared?.tds_tan ?? null) : null;
  const { utr, on, paise } = received;
  const transfer = { paymentId, orderId: order.id, paise, utr, on, now };
  if (!(await insertReceived(owner, tx, { ...transfer, deduction: deduction && { ...deduction, tan } })))
    throw new OperatorRefusal(`The transfer ${utr} is known already.`, 'nothing_to_change');
  const payment = {
    id: paymentId,
    amount: paise,
    currency,
    method: byTransfer,
    created_at: Math.floor(now.getTime() / 1000),
  };
  await upsertPayment(tx, order, payment, 'captured', 'CYCLE', now);
  const captured = { paymentId, cycleId: order.cycle_id, amountPaise: paise, currency, use: 'CYCLE' } as const;
  await happened(context, owner, tx, { type: 'payment.captured', ...captured });
  await payCycles(context, change, order, cycles, money, (about, share) => entryOfCapture(about, share, 'bank'));
  const effect = { orderId: order.id, utr, on, amountPaise: paise, tdsPaise: deduction?.paise ?? 0 };
  await recordAction(tx, {
    ...cause,
    action: 'transfers.record',
    target: paymentId,
    customerId: order.customer_id,
    effect,
    paise: order.amount_paise,
  });
  return { ...shown, paymentId };
}
