import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { rupees } from '#shared/domain/money.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import { bounds } from '#shared/domain/payment.ts';
import type { PurchaseOrder } from '#shared/domain/purchase-order.ts';
import { type CycleRow, updateCyclePrice } from '#server/features/cycles/cycles.ts';
import { type BillRow, selectBill, selectOpenBill } from '#server/features/credit/credit.ts';
import { type Issuer, requireNumbers } from '#server/features/documents/documents.ts';
import {
  agreeMandate,
  askMandate,
  carriesConsent,
  lapseAsked,
  partiesOf,
  payerOf,
  type RenewalConsent,
} from '#server/features/mandates/mandates.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { openAtProvider } from './open-order.ts';
import { selectCyclesToPay, selectCycleToPay, selectOwnsActivation } from './payable-cycles.ts';
import { checkSoon } from './reconcile.ts';
import { requireBuyer, requirePayable } from './require-payable.ts';
import {
  closeLiveOrders,
  countOrdersSince,
  countPaidSince,
  findLiveOrders,
  insertOrder,
  isHeld,
  nameOnOrder,
  type OrderRow,
  updateAsked,
} from './store.ts';

/** Returns the one live order of a cycle, creating it at the provider if necessary. Repeated calls return the same order. */
export async function createOrder(portal: Portal, owner: Owner, id: string) {
  if (!(await selectOpenBill(owner, portal.db, id))) await requireBuyer(portal, owner);
  const ordered = await transaction(portal.db, async (tx) => {
    const cycle = await selectCycleToPay(owner, tx, id);
    if (!cycle) throw refuse((await selectOwnsActivation(owner, tx, id)) ? 'nothing_to_pay' : 'not_found');
    return liveOrder(portal, owner, tx, [cycle]);
  });
  return openOrder(portal, owner, ordered);
}

/**
 * The same for several unpaid cycles of an activation: one order, which pays for all of them or none (product §4.18), and may name a purchase
 * order (product §4.20).
 */
export async function createOrderOfPeriods(
  portal: Portal,
  owner: Owner,
  activationId: string,
  {
    cycleIds,
    purchaseOrder,
    renewal,
    standing,
  }: {
    cycleIds: readonly string[];
    purchaseOrder?: PurchaseOrder | null | undefined;
    /** Later periods of the plan are debited (decision 074). */
    renewal?: RenewalConsent | undefined;
    /** Of a holder of a pay link: throws when that is no standing for these cycles of the owner any more. Under the activation's lock. */
    standing?: ((tx: Tx) => Promise<void>) | undefined;
  },
) {
  const [one, ...more] = cycleIds;
  // A bill is invoiced: whoever owes it may pay, whatever became of the GSTIN.
  const isBill = one !== undefined && more.length === 0 && (await selectOpenBill(owner, portal.db, one));
  if (!isBill) await requireBuyer(portal, owner);
  const ordered = await transaction(portal.db, async (tx) => {
    const [first, ...others] = (await selectCyclesToPay(owner, tx, activationId, cycleIds)) ?? [];
    if (!first) throw refuse('not_found');
    await standing?.(tx);
    const ordered = await liveOrder(portal, owner, tx, [first, ...others], {
      renewal: portal.settings.renewals ? renewal : undefined,
      byCustomer: standing === undefined,
    });
    if (purchaseOrder !== undefined) await nameOnOrder(tx, ordered.order.id, purchaseOrder);
    return ordered;
  });
  const opened = await openOrder(portal, owner, ordered);
  // Without a consent there is none to look up; the provider may have refused it.
  const mandate = renewal && (await partiesOf(portal, ordered.order.id)).mandate;
  const mandateOf = mandate ? { customerId: mandate.customerId } : null;
  return { ...opened, billingCycleIds: ordered.cycleIds, mandate: mandateOf };
}

interface LiveOrder {
  order: OrderRow;
  planName: string;
  cycleIds: string[];
}

async function openOrder(portal: Portal, owner: Owner, { order, planName }: LiveOrder) {
  const open = order.status === 'CREATING' ? await openAtProvider(portal, order) : order;
  if (!open.provider_order_id) throw refuse('payment_provider_unavailable');
  await checkSoon(portal.db, open.id, portal.machineClock());
  return {
    orderId: open.provider_order_id,
    amount: rupees(open.amount_paise),
    currency: 'INR' as const,
    customer: await payerOf(portal, owner.customerId),
    billingCycleId: open.cycle_id,
    planName,
  };
}

/** The one live order of some cycles, made where there is none yet. `byCustomer`: not only a holder of a pay link asks. Requires the activation's lock. */
export async function liveOrder(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  cycles: readonly [CycleRow, ...CycleRow[]],
  { renewal, byCustomer }: { renewal?: RenewalConsent | undefined; byCustomer: boolean } = { byCustomer: true },
): Promise<LiveOrder> {
  const bill = cycles.length === 1 ? await selectBill(tx, cycles[0].id) : undefined;
  if (bill) return orderOfBill(portal, tx, owner, cycles[0], bill, byCustomer);
  const due = await requirePayable(portal, owner, tx, cycles);
  const [first] = due;
  const cycleIds = cycles.map((cycle) => cycle.id);
  const agreed = renewal && (await agreeMandate(owner, tx, due, renewal));
  const existing = await findLiveOrders(tx, cycleIds);
  const planName = first.plan.name;
  const same = existing.find(({ order, cycleIds: covered }) => {
    const isSameSet = covered.length === cycleIds.length && covered.every((id) => cycleIds.includes(id));
    return isSameSet && order.amount_paise === due.reduce((sum, cycle) => sum + cycle.price_paise, 0);
  });
  const isPriceSame = cycles.every((cycle, index) => cycle.price_paise === due[index]?.price_paise);
  const now = new Date(portal.clock());
  if (same && isPriceSame && (await carriesConsent(tx, same.order.id, agreed))) {
    if (byCustomer) await updateAsked(tx, same.order.id, now);
    return { order: same.order, planName, cycleIds };
  }
  await enforceLimits(portal, tx, first.activation_id, byCustomer);
  await requireNumbers(portal, tx);
  // The buyer, the tax rate, the choice of cycles or the consent has changed: the earlier orders must not be paid any more.
  await closeLiveOrders(tx, cycleIds);
  for (const { order } of existing) await lapseAsked(tx, { order_id: order.id }, now);
  const before = existing.find(({ cycleIds: covered }) => covered.includes(first.id))?.order;
  for (const [index, { id, price_paise: pricePaise }] of due.entries()) {
    if (cycles[index]?.price_paise !== pricePaise) await updateCyclePrice(owner, tx, id, pricePaise);
  }
  const order = await insertOrder(owner, tx, due, now, { before, byCustomer });
  if (agreed) await askMandate(portal, owner, tx, order, agreed);
  return { order, planName, cycleIds };
}

/** The one live order of a bill, over what is due of it now, or was written off (decision 081). It needs no buyer, number or offer: it is invoiced. */
async function orderOfBill(
  portal: Issuer,
  tx: Tx,
  owner: Owner,
  cycle: CycleRow,
  { owed_paise: duePaise }: BillRow,
  byCustomer: boolean,
): Promise<LiveOrder> {
  if (duePaise < leastDuePaise) throw refuse('nothing_to_pay');
  if (await isHeld(tx, [cycle.id])) throw refuse('payment_under_way');
  const live = (await findLiveOrders(tx, [cycle.id])).find(({ order }) => order.of_bill);
  const of = { planName: cycle.plan.name, cycleIds: [cycle.id] };
  const now = new Date(portal.clock());
  if (live && live.order.amount_paise === duePaise) {
    if (byCustomer) await updateAsked(tx, live.order.id, now);
    return { order: live.order, ...of };
  }
  await enforceLimits(portal, tx, cycle.activation_id, byCustomer);
  await closeLiveOrders(tx, [cycle.id]);
  const order = await insertOrder(owner, tx, [{ ...cycle, price_paise: duePaise }], now, {
    byCustomer,
    isOfBill: true,
  });
  return { order, ...of };
}

/** A limit against programs that create orders in an endless loop. Holders of pay links have one of their own, and don't use up the customer's. */
async function enforceLimits(portal: Issuer, tx: Tx, activationId: string, byCustomer: boolean): Promise<void> {
  const since = new Date(portal.clock() - 3_600_000);
  const orders = await countOrdersSince(tx, activationId, since, byCustomer);
  const payments = await countPaidSince(tx, activationId, since);
  if (orders < bounds.ordersPerHour && payments < bounds.paymentsPerHourForOrder) return;
  portal.log.error({ activationId, orders, payments }, 'an activation has reached its hourly limit of orders');
  throw refuse('too_many_requests');
}
