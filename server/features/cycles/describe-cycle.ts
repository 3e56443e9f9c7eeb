import type { Catalog } from '#catalog/catalog.ts';
import { describeOperations } from '#catalog/operations.ts';
import type { Cycle } from '#shared/contract/cycles.ts';
import { billingStatusOf, type CycleFacts, grantsAccess, phaseOf, shownStatus } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { stateOfBill } from '#shared/domain/pay-later.ts';
import { priceOf } from '#shared/domain/price.ts';
import { purchaseOrderOfSale } from '#shared/domain/purchase-order.ts';
import { type Buyer, readBuyer } from '#server/features/documents/documents.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { type FindChange, type OfferChange, readOfferChanges } from './on-sale.ts';
import { packsFor } from './packs.ts';
import { priceFor } from './price-due.ts';
import type { CycleRecord, CycleRow, PaymentRow } from './store.ts';

/** What the contract shows of cycles besides their records: the catalogue, the day, the buyer, and what has changed since an unpaid one was added. */
export interface Shown {
  catalog: Catalog;
  today: Day;
  buyer: Buyer;
  changeOf: FindChange;
}

/** Reads what a customer's cycles are shown with today. */
export async function readShown(portal: Portal, owner: Owner, today: Day): Promise<Shown> {
  const { catalog, db } = portal;
  const [buyer, changeOf] = await Promise.all([
    readBuyer(portal, owner, db),
    readOfferChanges(catalog, owner, db, today),
  ]);
  return { catalog, today, buyer, changeOf };
}

/** A cycle as the contract shows it; `packOf`: the one whose quota it adds to, when it is a pack. */
export function describeCycle(shown: Shown, record: CycleRecord, packOf?: CycleRow): Cycle {
  const { catalog, today, buyer, changeOf } = shown;
  const facts = factsOf(record);
  const phase = phaseOf(facts, today);
  const { totalPaise, taxablePaise } = shownPrice(record, today, buyer);
  const bill = describeBill(record, today);
  return {
    id: record.id,
    name: `${record.plan.name} for ${record.plan.maxDays} days`,
    status: shownStatus(facts, today),
    fromDate: facts.fromDate,
    toDate: facts.toDate,
    price: rupees(totalPaise),
    changed: describeChange(shown, record, changeOf(record, packOf)),
    bill,
    taxableValue: rupees(taxablePaise),
    gst: rupees(totalPaise - taxablePaise),
    createdAt: record.created_at.toISOString(),
    planId: record.plan.planId,
    planName: record.plan.name,
    billingStatus: billingStatusOf(facts, today, bill?.state),
    phase,
    dailyQuota: record.daily_quota + record.pack_units,
    monthlyQuota: record.monthly_quota + record.pack_units,
    rps: grantsAccess(record.status) && phase !== 'over' ? (record.calls_per_second ?? record.rps) : record.rps,
    benefits: record.plan.benefits,
    ...describeOperations(catalog.find(record.service_id)?.metered ?? [], record.plan),
    payments: record.payments.map(describePayment),
    invoiceId: record.invoiceNumber,
    purchaseOrder: purchaseOrderToName(record, buyer),
    replaces: record.replaces,
    granted: record.granted_reason,
    packs: record.packs.map(({ row, payments }) => ({
      id: row.id,
      name: row.plan.name,
      units: row.monthly_quota,
      price: rupees(row.price_paise),
      changed: describeChange(shown, row, changeOf(row, record)),
      status: row.status === 'PAID' ? ('PAID' as const) : ('PAYMENT_PENDING' as const),
      payments: payments.map(describePayment),
    })),
    raisedUnits: record.raised_units,
    packOffers: offersOf(catalog, record, today, buyer),
  };
}

/** The bill of what is paid later. Another bill of the customer that is overdue stops it too. */
function describeBill(record: CycleRecord, today: Day): Cycle['bill'] {
  const { billDueOn: dueOn, planStopsOn: stopsOn, due_paise: duePaise, owed_paise: owedPaise } = record;
  if (dueOn === null || stopsOn === null) return null;
  const state = stateOfBill({ dueOn, stopsOn, duePaise, writtenOffPaise: owedPaise - duePaise }, today);
  return state === 'PAID' ? null : { state, owed: rupees(owedPaise), dueOn };
}

/** The price of what is on sale today instead of an unpaid cycle. */
function describeChange({ today, buyer }: Shown, cycle: CycleRow, change: OfferChange | undefined): Cycle['changed'] {
  if (!change) return null;
  if (change.kind === 'withdrawn') return { price: null };
  return { price: rupees(priceFor(buyer, { ...cycle, plan: change.terms }, today).totalPaise) };
}

/** The packs that can be added to a cycle today, at the prices for this buyer. */
function offersOf(catalog: Catalog, record: CycleRecord, today: Day, buyer: Buyer): Cycle['packOffers'] {
  const phase = phaseOf({ fromDate: record.from_date, toDate: record.to_date }, today);
  if (!grantsAccess(record.status) || phase !== 'running') return [];
  return packsFor(catalog, record, today).map(({ pack: { packId: id, name, units }, terms }) => {
    const { totalPaise, gstPaise } = priceOf(terms, buyer.isZeroRatedOn(today));
    return { id, name, units, total: rupees(totalPaise), gst: rupees(gstPaise) };
  });
}

/** What the documents of an unpaid cycle would name if it were paid now. */
function purchaseOrderToName(record: CycleRecord, buyer: Buyer): Cycle['purchaseOrder'] {
  if (record.status !== 'PAYMENT_PENDING') return null;
  const ordered = { number: record.orderedName, date: record.orderedNameDate };
  return purchaseOrderOfSale(ordered, buyer.purchaseOrder) ?? null;
}

/** The amount paid, as on its document; for an unpaid cycle, the price of an order made today. */
function shownPrice(record: CycleRecord, today: Day, buyer: Buyer): { totalPaise: number; taxablePaise: number } {
  if (record.taxablePaise !== null) return { totalPaise: record.price_paise, taxablePaise: record.taxablePaise };
  return priceFor(buyer, record, today);
}

/** The facts that determine the status shown. */
export function factsOf(record: CycleRecord): CycleFacts {
  return {
    status: record.status,
    fromDate: record.from_date,
    toDate: record.to_date,
    createdOn: dayOf(record.created_at.getTime()),
    paymentUnderWay: record.payments.some(isUnderWay),
  };
}

/** Not captured yet, or held until the provider's operator has answered. What is held and is another amount than its order's can only go back. */
export const isUnderWay = ({ status, use, can_pay: canPay }: Pick<PaymentRow, 'status' | 'use' | 'can_pay'>): boolean =>
  status === 'created' || status === 'authorized' || (use === 'HELD' && canPay === true);

/** captured, pending, failed or other (product §4). */
function describePayment(payment: PaymentRow) {
  return {
    id: payment.provider_payment_id,
    status: payment.use === 'REFUND' ? 'refunded' : isUnderWay(payment) ? 'pending' : payment.status,
    paymentCreatedAt: payment.created_at.toISOString(),
    reason: payment.status === 'failed' ? payment.error_description : null,
  };
}

/** Running first, then paid upcoming ones, then unpaid ones, then the ended ones, newest first. */
export function inReadingOrder(records: CycleRecord[], today: Day): CycleRecord[] {
  const rank = (record: CycleRecord): number => {
    const phase = phaseOf({ fromDate: record.from_date, toDate: record.to_date }, today);
    if (grantsAccess(record.status)) return phase === 'running' ? 0 : phase === 'upcoming' ? 1 : 3;
    return record.status === 'PAYMENT_PENDING' ? 2 : 3;
  };
  return records.toSorted((a, b) => {
    const difference = rank(a) - rank(b);
    if (difference !== 0) return difference;
    const earlier =
      a.from_date < b.from_date ? -1 : a.from_date > b.from_date ? 1 : a.created_at.getTime() - b.created_at.getTime();
    return rank(a) === 3 ? -earlier : earlier;
  });
}
