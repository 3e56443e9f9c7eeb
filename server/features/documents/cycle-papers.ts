import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { excessOfAdvance } from '#shared/domain/advance.ts';
import type { CycleDates } from '#shared/domain/cycle.ts';
import { type Day, dayOf, laterDay } from '#shared/domain/day.ts';
import { changeBetween, rateOfSupply, rateOn } from '#shared/domain/gst-rate.ts';
import type { DocumentContent } from '#shared/domain/document.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import type { ReversedTax } from '#shared/domain/refund-payout.ts';
import { type OrderedName, purchaseOrderOfSale } from '#shared/domain/purchase-order.ts';
import { happened } from '#server/features/events/events.ts';
import { readProvenProfile } from '#server/features/tax-claims/tax-claims.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Items } from '#server/rounds/steps.ts';
import { ratesOf } from './buyer.ts';
import { hasPaid, type MayInvoice } from './buyer-status.ts';
import { contentOf, contentOfReturn, creditNoteOf, purchaseOrderOf, type Sale, saleOf } from './content.ts';
import { issuedOf } from './finish.ts';
import { type Issued, issueDocument, type Issuer, referenceTo } from './issue.ts';
import {
  type DocumentRow,
  lockActivationOf,
  selectCurrentPaper,
  selectDueCycles,
  selectReturnedPaise,
  selectReturns,
  selectSold,
} from './store.ts';

/** A cycle that was just paid, with the days that it covers. */
export interface PaidCycle {
  id: string;
  activationId: string;
  serviceId: string;
  plan: PlanTerms;
  totalPaise: number;
  dates: CycleDates;
  paymentId: string;
  /** The number that the payer's bank gave a bank transfer. */
  utr: string | undefined;
  /** What of its price did not come, as the customer deducted it (TDS). */
  withheldPaise?: number;
  /** It adds units to a running cycle. */
  isPack: boolean;
  /** It is sold on credit terms: its invoice is issued at once, for a buyer about whom the GST portal was asked. */
  later?: { dueOn: Day; buyer: MayInvoice };
}

/**
 * Issues the documents of a payment, one for each cycle that it paid for, in the transaction that marks the cycles as paid. The payment is
 * announced once, with all of them. `ordered`: the purchase order that the payment order names.
 */
export async function documentPayment(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  paid: readonly PaidCycle[],
  ordered: OrderedName,
): Promise<void> {
  // The one that starts today comes first: it has an invoice, and invoices are numbered before vouchers (issue.ts).
  const periods = [];
  for (const cycle of paid.toSorted((a, b) => (a.dates.fromDate < b.dates.fromDate ? -1 : 1))) {
    const { id: cycleId, dates, totalPaise: amountPaise } = cycle;
    periods.push({ cycleId, dates, amountPaise, document: await documentCycle(portal, owner, tx, cycle, ordered) });
  }
  const [first] = periods;
  const [anyCycle] = paid;
  if (!first || !anyCycle) throw new Error('a payment paid for nothing');
  const amountPaise = paid.reduce((sum, cycle) => sum + cycle.totalPaise, 0);
  const { paymentId, utr, later } = anyCycle;
  const withheldPaise = paid.reduce((sum, cycle) => sum + (cycle.withheldPaise ?? 0), 0);
  const transfer = utr === undefined ? {} : { transfer: { utr, withheldPaise } };
  if (later) await happened(portal, owner, tx, { type: 'bill.issued', ...first, dueOn: later.dueOn });
  else {
    const received = { ...first, paymentId, amountPaise, periods, ...transfer };
    await happened(portal, owner, tx, { type: 'payment.received', ...received });
  }
  // A pack gives no access of its own.
  if (!anyCycle.isPack && first.dates.fromDate <= dayOf(portal.clock())) {
    await happened(portal, owner, tx, { type: 'cycle.activated', cycleId: first.cycleId });
  }
}

/**
 * A tax invoice when the cycle starts today (Rule 46), or is paid later; a receipt voucher for an advance when it starts later (Rule 50). An advance is
 * taxed at the rate of the day of payment.
 */
async function documentCycle(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  cycle: PaidCycle,
  ordered: OrderedName,
): Promise<Issued> {
  const today = dayOf(portal.clock());
  const { later } = cycle;
  const isAdvance = cycle.dates.fromDate > today && !later;
  const rates = ratesOf(portal, cycle.serviceId, cycle.plan.gstRateBasisPoints);
  // Its rate would follow from the day of a payment that nobody knows (CGST Act s. 14).
  if (later && changeBetween(rates, { invoicedOn: today, suppliedOn: cycle.dates.fromDate }) !== undefined)
    throw refuse('gst_rate_changes');
  const profile = await profileOf(owner, tx);
  const purchaseOrder = purchaseOrderOfSale(ordered, purchaseOrderOf(profile));
  const content = contentOf(
    portal.settings,
    profile,
    {
      item: {
        description: `${portal.catalog.find(cycle.serviceId)?.name ?? 'API access'}, ${cycle.plan.name}${cycle.isPack ? '' : ' plan'}`,
        sac: cycle.plan.sac,
        fromDate: cycle.dates.fromDate,
        toDate: cycle.dates.toDate,
      },
      gstRateBasisPoints: isAdvance
        ? rateOn(rates, today)
        : rateOfSupply(rates, { suppliedOn: cycle.dates.fromDate, invoicedOn: today, paidOn: today }),
      totalPaise: cycle.totalPaise,
      activationId: cycle.activationId,
      paymentId: cycle.paymentId,
      ...(cycle.utr !== undefined && { utr: cycle.utr }),
      ...(later && { dueOn: later.dueOn }),
      ...((cycle.withheldPaise ?? 0) > 0 && { withheldPaise: cycle.withheldPaise }),
      ...(purchaseOrder && { purchaseOrder }),
    },
    { suppliedOn: laterDay(today, cycle.dates.fromDate) },
  );
  const document = { cycleId: cycle.id, content };
  return isAdvance
    ? issueDocument(portal, owner, tx, { ...document, kind: 'RECEIPT_VOUCHER' })
    : issueDocument(portal, owner, tx, { ...document, kind: 'INVOICE', buyer: later?.buyer ?? hasPaid });
}

/**
 * Issues the document of a refund, in the transaction that starts the refund: a refund voucher for an advance (Rule 51), a credit
 * note for an invoiced cycle (Rule 53). A cycle that started today and has no invoice yet is invoiced first, unless the refund is
 * of excess tax (`beforeInvoice`).
 * Requires the activation's lock.
 */
export async function documentRefund(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  refund: { cycleId: string; amountPaise: number; reason: string; reversed?: ReversedTax; beforeInvoice?: boolean },
): Promise<Issued> {
  const paper = await selectCurrentPaper(tx, refund.cycleId);
  if (!paper) throw new Error(`cycle ${refund.cycleId} was paid without a document`);
  const isAdvance = paper.kind === 'RECEIPT_VOUCHER';
  const hasStarted = paper.content.item.fromDate <= dayOf(portal.clock());
  if (isAdvance && hasStarted && refund.beforeInvoice !== true) {
    await invoiceAdvance(portal, owner, tx, paper);
    return documentRefund(portal, owner, tx, refund);
  }
  const about = { cycleId: refund.cycleId, refersToId: paper.id };
  const { amountPaise, reason } = refund;
  // What the paper says of the tax is what is reversed of it.
  const { withheldPaise: _deducted, ...sold } = paper.content;
  const original = { ...sold, ...refund.reversed };
  const before = await selectReturns(tx, paper.id);
  if (isAdvance) {
    const content = contentOfReturn(original, before, amountPaise, referenceTo(paper), reason);
    return issueDocument(portal, owner, tx, { ...about, kind: 'REFUND_VOUCHER', content });
  }
  const content = creditNoteOf(original, before, amountPaise, referenceTo(paper), reason, {
    today: dayOf(portal.clock()),
    end: portal.settings.lastNoteDay,
  });
  return issueDocument(portal, owner, tx, { ...about, kind: 'CREDIT_NOTE', content });
}

/**
 * Issues the tax invoices of prepaid cycles that have started, including on days when the portal was down (Rule 47 allows
 * 30 days). Each cycle gets one invoice, however often and from however many processes this is called. `refundExcess` gives back tax that
 * is no longer due, before the invoice.
 */
export async function invoiceStarted(
  portal: Portal,
  refundExcess: (owner: Owner, tx: Tx, cycleId: string) => Promise<unknown>,
  items: Items,
): Promise<void> {
  for (const due of await selectDueCycles(portal.db, dayOf(portal.clock()))) {
    const owner: Owner = { customerId: due.customer_id };
    await items.each(due.id, () =>
      transaction(portal.db, async (tx) => {
        await lockActivationOf(tx, due.id);
        const paper = await selectCurrentPaper(tx, due.id);
        if (paper?.kind !== 'RECEIPT_VOUCHER') return;
        // Refunded in full since the list was read.
        if ((await selectReturnedPaise(tx, paper.id)) === paper.total_paise) return;
        await refundExcess(owner, tx, due.id);
        const invoice = await invoiceAdvance(portal, owner, tx, paper);
        const { item: dates } = paper.content;
        await happened(portal, owner, tx, { type: 'cycle.invoiced', cycleId: due.id, dates, invoice });
      }),
    );
  }
}

/**
 * The excess tax in the advance for a cycle that has started and is not invoiced yet; undefined when there is none. Requires the
 * activation's lock.
 */
export async function readExcessTax(portal: Issuer, owner: Owner, tx: Tx, cycleId: string) {
  const voucher = await selectCurrentPaper(tx, cycleId);
  if (voucher?.kind !== 'RECEIPT_VOUCHER' || voucher.content.item.fromDate > dayOf(portal.clock())) return undefined;
  const { plan } = await selectSold(tx, cycleId);
  const sale = await saleOfAdvance(portal, tx, voucher);
  const content = contentOf(portal.settings, await profileOf(owner, tx), sale, {
    suppliedOn: dayOf(portal.clock()),
    follows: issuedOf(voucher),
  });
  const amountPaise = excessOfAdvance({
    plan,
    paidPaise: voucher.total_paise,
    heldPaise: sale.totalPaise,
    gstRateBasisPoints: sale.gstRateBasisPoints,
    zeroRated: content.tax === 'NONE',
  });
  return amountPaise === 0 ? undefined : { amountPaise, paymentId: sale.paymentId };
}

/** What an advance is invoiced over: what is left of it, at the rate of the time of supply, which may differ from the voucher's. */
async function saleOfAdvance(portal: Issuer, tx: Tx, voucher: DocumentRow): Promise<Sale> {
  const sold = saleOf(voucher.content);
  const { service_id: serviceId } = await selectSold(tx, voucher.cycle_id);
  const gstRateBasisPoints = rateOfSupply(ratesOf(portal, serviceId, sold.gstRateBasisPoints), {
    suppliedOn: sold.item.fromDate,
    invoicedOn: dayOf(portal.clock()),
    paidOn: voucher.issued_on,
  });
  return { ...sold, totalPaise: sold.totalPaise - (await selectReturnedPaise(tx, voucher.id)), gstRateBasisPoints };
}

/** Invoices an advance less what was refunded of it, citing its receipt voucher. The buyer is that of today's profile. */
async function invoiceAdvance(portal: Issuer, owner: Owner, tx: Tx, voucher: DocumentRow): Promise<Issued> {
  const sale = await saleOfAdvance(portal, tx, voucher);
  const content = contentOf(portal.settings, await profileOf(owner, tx), sale, {
    suppliedOn: dayOf(portal.clock()),
    follows: issuedOf(voucher),
  });
  const invoice = await issueDocument(portal, owner, tx, {
    kind: 'INVOICE',
    cycleId: voucher.cycle_id,
    content,
    buyer: hasPaid,
    refersToId: voucher.id,
  });
  await alertUnpaidTax(portal, tx, voucher, content, invoice.number);
  return invoice;
}

/** Tax that was not due when an advance was paid is taken out of the price (decision 023): the operator should know. */
async function alertUnpaidTax(
  portal: Issuer,
  tx: Tx,
  voucher: DocumentRow,
  { tax, split: { taxPaise } }: DocumentContent,
  number: string,
): Promise<void> {
  const { plan } = await selectSold(tx, voucher.cycle_id);
  if (plan.tax === 'inclusive' || voucher.content.tax !== 'NONE' || tax === 'NONE') return;
  const message = 'an advance was paid without tax and is invoiced with tax: the price bears it';
  portal.log.error({ number, voucher: voucher.number, taxPaise }, message);
}

async function profileOf(owner: Owner, tx: Tx) {
  const profile = await readProvenProfile(owner, tx);
  // The profile is required before the first payment, because an invoice must name the State (product §3.2).
  if (!profile) throw new Error(`customer ${owner.customerId} paid without a business profile`);
  return profile;
}
