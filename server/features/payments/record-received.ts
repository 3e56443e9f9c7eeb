import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import { daysBeforePlan, type Deduction } from '#shared/domain/bank-transfer.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { entryOfCapture } from '#shared/domain/ledger.ts';
import { formatRupees, rupees, toPaise } from '#shared/domain/money.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import {
  byTransfer,
  insertReceived,
  otherMoneyOf,
  requireUtr,
  selectDeclared,
} from '#server/features/bank-transfers/bank-transfers.ts';
import { returnUnitsBeforeSwitch } from '#server/features/cycles/cycles.ts';
import { happened } from '#server/features/events/events.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import { liveOrder } from './create-order.ts';
import { selectCycleToPay } from './payable-cycles.ts';
import { findOrder } from './payment-file.ts';
import { requireBuyer } from './payments.ts';
import { selectFirstDayOfMoney, selectUnordered } from './received-store.ts';
import { isHeld, lockForSettling, type OrderRow, selectOrderCycles, upsertPayment } from './store.ts';
import { payBill, whyUnusableForBill } from './pay-bill.ts';
import { type EntryOf, payCycles, requireNoDebit, whyUnusable } from './use-money.ts';
import { deductionsOf, withheldOfOrder } from './withheld.ts';

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
  const utr = requireUtr(typed);
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

/** What the transfer is for. */
interface Bill {
  customerId: string;
  activationId: string;
  cycleId: string;
  /** Absent: nobody has asked to pay for the plan, and its order is made with the recording. */
  order: OrderRow | undefined;
}

/** An order, or an unpaid plan whose customer never pressed Pay, of which the checkout's first question is asked: may this buyer pay? */
async function billOf(context: OperatorContext, of: string): Promise<Bill> {
  const cycle = await selectUnordered(context.db, of);
  if (!cycle) {
    const order = await findOrder(context.db, of);
    return { customerId: order.customer_id, activationId: order.activation_id, cycleId: order.cycle_id, order };
  }
  const owner = { customerId: cycle.customer_id };
  if (cycle.status === 'PAYMENT_PENDING') await inWordsForOperators(requireBuyer(context, owner));
  return { ...owner, activationId: cycle.activation_id, cycleId: cycle.id, order: undefined };
}

/** Refusals of the checkout speak to the customer. */
function inWordsForOperators<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof Refusal
      ? new OperatorRefusal(`The checkout would refuse it to the customer: “${error.message}” Nothing was recorded.`)
      : error;
  });
}

/** The order of the bill, made as the checkout makes it where there is none. Locks the activation. */
async function orderOf(context: OperatorContext, tx: Tx, { order, customerId, cycleId }: Bill): Promise<OrderRow> {
  if (order) return order;
  const owner = { customerId };
  const cycle = await selectCycleToPay(owner, tx, cycleId);
  if (cycle?.id !== cycleId) throw new OperatorRefusal(`${cycleId} can’t be paid any more. Nothing was recorded.`);
  return (await inWordsForOperators(liveOrder(context, owner, tx, [cycle]))).order;
}

/** What the transfer would pay, under the lock of the activation. Throws OperatorRefusal where it can't. */
async function findBill(context: OperatorContext, tx: Tx, bill: Bill, received: Received) {
  const other = await otherMoneyOf(tx, received.utr);
  if (other !== undefined)
    throw new OperatorRefusal(
      `The transfer ${received.utr} is known already: it is the number of ${other}.`,
      'nothing_to_change',
    );
  const owner = { customerId: bill.customerId };
  await lockActivation(owner, tx, bill.activationId, true);
  const covered = bill.order
    ? (await selectOrderCycles(tx, bill.order.id)).map((each) => each.cycle_id)
    : [bill.cycleId];
  if (await isHeld(tx, covered))
    throw new OperatorRefusal(
      'Money that came by Razorpay is held for this bill. Answer about that first: octroi transfers list',
    );
  const order = await orderOf(context, tx, bill);
  const locked = await lockForSettling(tx, order);
  const first = await selectFirstDayOfMoney(tx, order.id);
  if (received.on < first)
    throw new OperatorRefusal(
      `The day of the transfer is between ${first} and today: not before the customer came, and at most ${daysBeforePlan} days before the plan was added.`,
      'invalid_request',
    );
  const deduction = deductionIn(order, await deductionsOf(context, tx, order), received.paise);
  const withheldPaise =
    deduction === undefined ? [] : await withheldOfOrder(context, tx, order, locked.cycles, deduction.percent);
  const money = {
    paymentId: newId('TRF'),
    amountPaise: received.paise,
    currency: order.currency,
    isGone: false,
    utr: received.utr,
    withheldPaise,
  };
  const reason = order.of_bill
    ? await whyUnusableForBill(tx, order, money)
    : await whyUnusable(context, tx, order, locked, money);
  if (reason !== undefined)
    throw new OperatorRefusal(`It can’t pay: ${reason}. Return it from your bank account; nothing was recorded.`);
  if (!order.of_bill) await requireNoDebit(context, tx, order, locked.cycles);
  const [cycle] = locked.cycles;
  const customer = await tx
    .selectFrom('customers')
    .select('name')
    .where('id', '=', order.customer_id)
    .executeTakeFirstOrThrow();
  const shown: Recorded = {
    paymentId: null,
    orderId: bill.order?.id ?? null,
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
  return { order, cycles: locked.cycles, deduction, money, shown };
}

/** What recording a transfer would do. */
export async function previewRecording(
  context: OperatorContext,
  input: OperatorInput<'recordReceivedTransfer'>,
): Promise<Recorded> {
  const received = receivedOf(context, input);
  const bill = await billOf(context, input.of.trim());
  // The order that it may make is rolled back.
  const trial = await context.db.startTransaction().execute();
  try {
    return (await findBill(context, trial, bill, received)).shown;
  } finally {
    await trial.rollback().execute();
  }
}

/** Records it: the bill is paid, as by any other payment, and what the customer gets back later goes by transfer. */
export async function recordReceived(
  context: OperatorContext,
  input: OperatorInput<'recordReceivedTransfer'>,
  cause: OperatorCause,
): Promise<Recorded> {
  const received = receivedOf(context, input);
  const bill = await billOf(context, input.of.trim());
  await returnUnitsBeforeSwitch(context.db, bill, bill);
  const { result, effectiveBy } = await changeAccess(context, (change) =>
    record(context, change, bill, received, cause),
  );
  return { ...result, effectiveBy };
}

const entryAtBank: EntryOf<'CYCLE' | 'DUE' | 'REFUND'> = (about, share) => entryOfCapture(about, share, 'bank');

async function record(
  context: OperatorContext,
  change: AccessChange,
  bill: Bill,
  received: Received,
  cause: OperatorCause,
): Promise<Recorded> {
  const { tx } = change;
  const owner = { customerId: bill.customerId };
  const { order, cycles, deduction, money, shown } = await findBill(context, tx, bill, received);
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
  const use = order.of_bill ? 'DUE' : 'CYCLE';
  await upsertPayment(tx, order, payment, 'captured', use, now);
  const captured = { paymentId, cycleId: order.cycle_id, amountPaise: paise, currency, use } as const;
  await happened(context, owner, tx, { type: 'payment.captured', ...captured });
  if (order.of_bill) await payBill(context, change, order, money, entryAtBank);
  else await payCycles(context, change, order, cycles, money, entryAtBank);
  const effect = { orderId: order.id, utr, on, amountPaise: paise, tdsPaise: deduction?.paise ?? 0 };
  await recordAction(tx, {
    ...cause,
    action: 'transfers.record',
    target: paymentId,
    customerId: order.customer_id,
    effect,
    paise: order.amount_paise,
  });
  return { ...shown, paymentId, orderId: order.id };
}
