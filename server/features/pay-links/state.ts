import { productName } from '#catalog/catalog.ts';
import { isBusiness } from '#shared/contract/account.ts';
import type { PayLinkBill, PayLinkState } from '#shared/contract/pay-links.ts';
import type { Tx } from '#shared/database/connect.ts';
import { datesWhenPaidTogether } from '#shared/domain/cycle.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { purchaseOrderOfSale } from '#shared/domain/purchase-order.ts';
import { isBlocked } from '#server/auth/blocked.ts';
import { readProfile } from '#server/features/account/account.ts';
import {
  type CycleRow,
  isUnderWay,
  listCyclesAndPacks,
  selectTakenDays,
  splitFor,
} from '#server/features/cycles/cycles.ts';
import { readBuyer } from '#server/features/documents/documents.ts';
import { isConsentOpen, nextDebitedDay } from '#server/features/mandates/mandates.ts';
import { isDebitUnderWay, requirePayable, selectNamedCycles } from '#server/features/payments/payments.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { billOfLink, describeBill, hasOpenBill, stateOfBillLink, shownTaxes } from './bill-link.ts';
import { isEndedByErasure, type OpenedLink, selectLinksEnded } from './link.ts';

type Cycles = readonly [CycleRow, ...CycleRow[]];

/** `cycles`: what is still to be paid. */
interface LinkWorth {
  state: PayLinkState;
  cycles?: Cycles;
}

/** What whoever holds a link sees. An ended one shows nothing of its customer. Locks nothing. */
export async function stateOfLink(
  portal: Portal,
  tx: Tx,
  link: OpenedLink,
): Promise<{ state: PayLinkState; bill: PayLinkBill | null }> {
  const later = await billOfLink(tx, link.cycleIds);
  if (later) {
    const state = await stateOfBillLink(tx, link, later);
    const isShown = state === 'OPEN' || state === 'CONFIRMING';
    return { state, bill: isShown ? await describeBill(portal, link.owner, tx, later) : null };
  }
  const { state, cycles } = await worthOfLink(portal, tx, link);
  if (state === 'OPEN' && cycles) {
    try {
      await requirePayable(portal, link.owner, tx, cycles);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { state: endedBy[error.code] ?? 'UNAVAILABLE', bill: null };
    }
  }
  return { state, bill: cycles ? await billOf(portal, tx, link, cycles) : null };
}

/** What a link is worth now, save that the order may be refused otherwise, as where the offer has changed. Locks nothing. */
export async function worthOfLink(clock: Pick<Portal, 'clock'>, tx: Tx, link: OpenedLink): Promise<LinkWorth> {
  const { owner, activationId, cycleIds, number } = link;
  const later = await billOfLink(tx, cycleIds);
  if (later) return { state: await stateOfBillLink(tx, link, later) };
  // They were begun one by one meanwhile, to be paid later.
  if (await hasOpenBill(tx, cycleIds)) return { state: 'REPLACED' };
  const found = await selectNamedCycles(owner, tx, activationId, cycleIds);
  const paid = await tx
    .selectFrom('cycles')
    .select('id')
    .where('id', 'in', cycleIds)
    .where('paid_at', 'is not', null)
    .execute();
  if (paid.length === cycleIds.length) return { state: 'PAID' };
  if (await isEndedByErasure(tx, owner)) return { state: 'UNAVAILABLE' };
  if (number !== (await selectLinksEnded(tx, activationId))) return { state: 'WITHDRAWN' };
  const [first, ...others] = found ?? [];
  if (!first || found?.some(({ status }) => status !== 'PAYMENT_PENDING')) return { state: 'REPLACED' };
  if ((await isBlocked(tx, owner.customerId)) || !(await readProfile(owner, tx))) return { state: 'UNAVAILABLE' };
  const cycles = [first, ...others] as const;
  if (await isDebitUnderWay(clock, owner, tx, cycles)) return { state: 'DEBITED', cycles };
  const records = (await listCyclesAndPacks(owner, tx, activationId)).filter(({ id }) => cycleIds.includes(id));
  if (records.some(({ payments }) => payments.some(isUnderWay)) || (await isConsentOpen(clock, tx, cycleIds)))
    return { state: 'CONFIRMING', cycles };
  return { state: 'OPEN', cycles };
}

/** What only a new subscription mends; the rest the customer can mend. */
const endedBy: Partial<Record<Refusal['code'], PayLinkState>> = {
  plan_changed: 'CHANGED',
  plan_withdrawn: 'CHANGED',
  no_plan_running: 'REPLACED',
};

/** What an order and its documents would say. */
async function billOf(portal: Portal, tx: Tx, { owner }: OpenedLink, cycles: Cycles): Promise<PayLinkBill | null> {
  const today = dayOf(portal.clock());
  const [profile, buyer] = [await readProfile(owner, tx), await readBuyer(portal, owner, tx)];
  const splits = cycles.map((cycle) => splitFor(buyer, cycle, today)).filter((split) => split !== undefined);
  if (!profile || splits.length < cycles.length) return null;
  const days = await daysIfPaid(portal, owner, tx, cycles);
  const sum = (part: keyof (typeof splits)[number]) => splits.reduce((paise, split) => paise + split[part], 0);
  return {
    customerName: profile.legalName,
    seller: { name: portal.settings.supplierName, gstin: portal.settings.supplierGstin },
    productName: productName(portal.catalog, cycles[0].service_id),
    lines: cycles.map(({ plan, adds_to: addsTo }, at) => ({
      planName: plan.name,
      days: addsTo === null ? (days[at] ?? null) : null,
      amount: rupees(splits[at]?.totalPaise ?? 0),
    })),
    amount: rupees(sum('totalPaise')),
    ...shownTaxes({
      taxablePaise: sum('taxablePaise'),
      cgstPaise: sum('cgstPaise'),
      sgstPaise: sum('sgstPaise'),
      utgstPaise: sum('utgstPaise'),
      igstPaise: sum('igstPaise'),
    }),
    purchaseOrder: purchaseOrderOfSale(await orderedName(tx, cycles[0]), buyer.purchaseOrder)?.number ?? null,
    byTransfer:
      portal.settings.bankTransfers && isBusiness(profile) && !(await isDebitedNext(portal, owner, tx, cycles)),
    invoice: null,
  };
}

/** Are these the days that the customer's mandate is debited for next? No transfer is offered for them, so that nobody is led to pay twice. */
export async function isDebitedNext(portal: Portal, owner: Owner, tx: Tx, cycles: Cycles): Promise<boolean> {
  const debited = await nextDebitedDay(portal, owner, tx, cycles[0].activation_id);
  if (debited === undefined || cycles[0].adds_to !== null) return false;
  const days = await daysIfPaid(portal, owner, tx, cycles);
  return days.some(({ fromDate, toDate }) => fromDate <= debited && debited < toDate);
}

/** The days that cycles would have if they were paid now. */
async function daysIfPaid(portal: Portal, owner: Owner, tx: Tx, cycles: Cycles) {
  const asked = cycles.map(({ from_date: fromDate, to_date: toDate, replaces }) => ({ fromDate, toDate, replaces }));
  return datesWhenPaidTogether(asked, dayOf(portal.clock()), await selectTakenDays(owner, tx, cycles[0].activation_id));
}

/** The purchase order that the live order names. */
async function orderedName(tx: Tx, { id }: CycleRow) {
  const named = await tx
    .selectFrom('order_cycles')
    .innerJoin('payment_orders', 'payment_orders.id', 'order_cycles.order_id')
    .select(['purchase_order as number', 'purchase_order_date as date'])
    .where('order_cycles.cycle_id', '=', id)
    .where('order_cycles.live', '=', true)
    .executeTakeFirst();
  return named ?? { number: null, date: null };
}
