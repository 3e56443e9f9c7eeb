import { changeAccess } from '#shared/database/access.ts';
import type { Db } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { entryOfBill } from '#shared/domain/ledger.ts';
import { daysOfBill, type WhyNotLater, whyNotLater } from '#shared/domain/pay-later.ts';
import { isBusiness } from '#shared/contract/account.ts';
import type { PurchaseOrder } from '#shared/domain/purchase-order.ts';
import { newId } from '#server/crypto/ids.ts';
import { readProfile } from '#server/features/account/account.ts';
import { isPaymentUnderWay } from '#server/features/cycles/cycles.ts';
import { whoAsked } from '#server/features/bank-transfers/bank-transfers.ts';
import { announceUnpaid, insertBill, lockTerms, selectOpenBills } from '#server/features/credit/credit.ts';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import { underConstraints } from '#server/refusals/constraints.ts';
import { ProviderRefusal, ProviderUnavailable } from '#server/razorpay/razorpay.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { liveOrder } from './create-order.ts';
import { selectCyclesToPay } from './payable-cycles.ts';
import { reconcileOrder } from './reconcile.ts';
import { requireBuyer } from './require-payable.ts';
import { isBlocked, lockForSettling, nameOnOrder, upsertPayment } from './store.ts';
import { payByTransfer } from './transfers.ts';
import { payCycles, whyUnusable } from './use-money.ts';

const refusalOf: Record<WhyNotLater, RefusalCode> = {
  NO_TERMS: 'no_credit_terms',
  OVERDUE: 'bill_overdue',
  WRITTEN_OFF: 'bill_overdue',
  LIMIT: 'credit_limit_reached',
};

/**
 * Sells an unpaid cycle on the customer's credit terms (decision 081): it begins as a paid one does, with its invoice at once. What the checkout refuses is
 * refused here too. The payment is the customer's promise, over exactly the price.
 */
export async function sellOnTerms(
  portal: Portal,
  owner: Owner,
  activationId: string,
  { cycleId, purchaseOrder }: { cycleId: string; purchaseOrder?: PurchaseOrder | null | undefined },
) {
  const buyer = await requireBuyer(portal, owner);
  await settleWhatCame(portal, owner, cycleId);
  const { result, effectiveBy } = await underConstraints(() =>
    changeAccess(portal, async (change) => {
      const { tx } = change;
      const [cycle] = (await selectCyclesToPay(owner, tx, activationId, [cycleId])) ?? [];
      if (!cycle) throw refuse('not_found');
      if (cycle.replaces !== null || cycle.adds_to !== null) throw refuse('no_credit_terms');
      const profile = await readProfile(owner, tx);
      // The terms were agreed with a business (decision 081).
      if (profile && !isBusiness(profile)) throw refuse('no_credit_terms');
      if (await isPaymentUnderWay(tx, cycleId)) throw refuse('payment_under_way');
      const { order } = await liveOrder(portal, owner, tx, [cycle]);
      if (purchaseOrder !== undefined) await nameOnOrder(tx, order.id, purchaseOrder);
      const terms = await lockTerms(owner, tx);
      const today = dayOf(portal.clock());
      const why = whyNotLater(terms, await selectOpenBills(owner, tx), order.amount_paise, today);
      if (!terms || why !== undefined) throw refuse(refusalOf[why ?? 'NO_TERMS']);
      if (await isBlocked(tx, owner.customerId)) throw refuse('account_blocked');
      const locked = await lockForSettling(tx, order);
      const days = daysOfBill(today, terms);
      const [paymentId, now] = [newId('TRM'), new Date(portal.clock())];
      const money = {
        paymentId,
        amountPaise: order.amount_paise,
        currency: order.currency,
        isGone: false,
        utr: undefined,
        withheldPaise: [],
        later: { dueOn: days.dueOn, buyer },
      };
      const unusable = await whyUnusable(portal, tx, order, locked, money);
      if (unusable !== undefined) throw refuse('nothing_to_pay');
      const at = Math.floor(now.getTime() / 1000);
      const promise = { id: paymentId, amount: order.amount_paise, currency: order.currency, method: 'terms' };
      await upsertPayment(tx, order, { ...promise, created_at: at }, 'captured', 'CYCLE', now);
      await insertBill(owner, tx, { cycleId, paymentId, billedOn: today, ...days });
      // On shorter terms it may stop the others earlier.
      await announceUnpaid(owner, change);
      await payCycles(portal, change, order, locked.cycles, money, (about, { paise }) => entryOfBill(about, paise));
      return { billingCycleId: cycleId, dueOn: days.dueOn, asker: await whoAsked(tx, order.id) };
    }),
  );
  const { asker, ...sold } = result;
  if (asker) await moveTransfer(portal, owner, activationId, cycleId, asker);
  return { ...sold, effectiveBy };
}

/** What was paid in a checkout and has not been heard of pays the plan: the promise would send it back. */
async function settleWhatCame(portal: Portal, owner: Owner, cycleId: string): Promise<void> {
  for (const orderId of await selectOpenOrders(owner, portal.db, cycleId)) {
    await reconcileOrder(portal, orderId).catch((error: unknown) => {
      if (!(error instanceof ProviderRefusal || error instanceof ProviderUnavailable)) throw error;
      throw refuse('payment_provider_unavailable');
    });
  }
}

/** A transfer for which somebody had the account number pays the bill instead, when it comes. The link of a plan is that of its bill. */
async function moveTransfer(
  portal: Portal,
  owner: Owner,
  activationId: string,
  cycleId: string,
  asker: 'CUSTOMER' | 'HOLDER',
): Promise<void> {
  const standing = asker === 'HOLDER' ? () => Promise.resolve() : undefined;
  await payByTransfer(portal, owner, activationId, [cycleId], standing).catch((error: unknown) => {
    // It is sold; a transfer that comes goes back, as one of what is paid.
    portal.log.error({ err: error, cycleId }, 'the transfer that was asked for could not be taken for the bill');
  });
}

/** The orders of a cycle that can be paid at the provider. */
async function selectOpenOrders(owner: Owner, db: Db, cycleId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_orders')
    .innerJoin('order_cycles', 'order_cycles.order_id', 'payment_orders.id')
    .select('payment_orders.id')
    .where('order_cycles.cycle_id', '=', cycleId)
    .where('order_cycles.customer_id', '=', owner.customerId)
    .where('payment_orders.status', '=', 'OPEN')
    .execute();
  return rows.map(({ id }) => id);
}
