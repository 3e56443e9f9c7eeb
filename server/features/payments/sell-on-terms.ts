import { changeAccess } from '#shared/database/access.ts';
import { dayOf } from '#shared/domain/day.ts';
import { entryOfBill } from '#shared/domain/ledger.ts';
import { daysOfBill, whyNotLater } from '#shared/domain/pay-later.ts';
import type { PurchaseOrder } from '#shared/domain/purchase-order.ts';
import { newId } from '#server/crypto/ids.ts';
import { announceUnpaid, insertBill, lockTerms, selectOpenBills } from '#server/features/credit/credit.ts';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import { underConstraints } from '#server/refusals/constraints.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { liveOrder } from './create-order.ts';
import { selectCyclesToPay } from './payable-cycles.ts';
import { requireBuyer } from './require-payable.ts';
import { isBlocked, lockForSettling, nameOnOrder, upsertPayment } from './store.ts';
import { payCycles, whyUnusable } from './use-money.ts';

const refusalOf: Record<'NO_TERMS' | 'OVERDUE' | 'LIMIT', RefusalCode> = {
  NO_TERMS: 'no_credit_terms',
  OVERDUE: 'bill_overdue',
  LIMIT: 'credit_limit_reached',
};

/**
 * Sells an unpaid cycle on the customer's credit terms (decision 080): it begins as a paid one does, with its invoice at once. What the checkout refuses is
 * refused here too. The payment is the customer's promise, over exactly the price.
 */
export async function sellOnTerms(
  portal: Portal,
  owner: Owner,
  activationId: string,
  { cycleId, purchaseOrder }: { cycleId: string; purchaseOrder?: PurchaseOrder | null | undefined },
) {
  const buyer = await requireBuyer(portal, owner);
  const { result, effectiveBy } = await underConstraints(() =>
    changeAccess(portal, async (change) => {
      const { tx } = change;
      const [cycle] = (await selectCyclesToPay(owner, tx, activationId, [cycleId])) ?? [];
      if (!cycle) throw refuse('not_found');
      if (cycle.replaces !== null || cycle.adds_to !== null) throw refuse('no_credit_terms');
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
      return { billingCycleId: cycleId, dueOn: days.dueOn };
    }),
  );
  return { ...result, effectiveBy };
}
