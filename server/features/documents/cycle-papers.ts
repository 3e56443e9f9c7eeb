import type { Tx } from '#database/connect.ts';
import { transaction } from '#database/transaction.ts';
import type { CycleDates } from '#domain/cycle.ts';
import { dayOf } from '#domain/day.ts';
import { rateOfSupply, rateOn } from '#domain/gst-rate.ts';
import type { PlanTerms } from '#domain/plan.ts';
import { priceOf } from '#domain/price.ts';
import { happened } from '#server/features/events/events.ts';
import { readProfile } from '#server/features/account/account.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { ratesOf } from './buyer.ts';
import { contentOf, contentOfReturn, creditNoteOf, saleOf } from './content.ts';
import { type Issued, issueDocument, referenceTo } from './issue.ts';
import {
  type DocumentRow,
  lockActivationOf,
  selectCurrentPaper,
  selectDueCycles,
  selectReturnedPaise,
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
}

/**
 * Issues the document of a payment, in the transaction that marks the cycle as paid: a tax invoice when the cycle starts today (Rule
 * 46), a receipt voucher for an advance when it starts later (Rule 50). An advance is taxed at the rate of the day of payment.
 */
export async function documentPayment(portal: Portal, caller: Caller, tx: Tx, cycle: PaidCycle): Promise<Issued> {
  const today = dayOf(portal.clock());
  const startsLater = cycle.dates.fromDate > today;
  const rates = ratesOf(portal, cycle.serviceId, cycle.plan.gstRateBasisPoints);
  const content = contentOf(portal.settings, await profileOf(caller, tx), {
    item: {
      description: `${portal.catalog.find(cycle.serviceId)?.name ?? 'API access'}, ${cycle.plan.name} plan`,
      sac: cycle.plan.sac,
      fromDate: cycle.dates.fromDate,
      toDate: cycle.dates.toDate,
    },
    gstRateBasisPoints: startsLater
      ? rateOn(rates, today)
      : rateOfSupply(rates, { suppliedOn: cycle.dates.fromDate, invoicedOn: today, paidOn: today }),
    totalPaise: cycle.totalPaise,
    activationId: cycle.activationId,
    paymentId: cycle.paymentId,
  });
  const kind = startsLater ? 'RECEIPT_VOUCHER' : 'INVOICE';
  const document = await issueDocument(portal, caller, tx, { kind, cycleId: cycle.id, content });
  const { id: cycleId, paymentId, totalPaise: amountPaise, dates } = cycle;
  await happened(portal, caller, tx, { type: 'payment.received', cycleId, paymentId, amountPaise, dates, document });
  if (!startsLater) await happened(portal, caller, tx, { type: 'cycle.activated', cycleId });
  return document;
}

/**
 * Issues the document of a refund, in the transaction that starts the refund: a refund voucher for an advance (Rule 51), a credit
 * note for an invoiced cycle (Rule 53). A cycle that started today and has no invoice yet is invoiced first.
 * Requires the activation's lock.
 */
export async function documentRefund(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  refund: { cycleId: string; amountPaise: number; reason: string },
): Promise<Issued> {
  const paper = await selectCurrentPaper(tx, refund.cycleId);
  if (!paper) throw new Error(`cycle ${refund.cycleId} was paid without a document`);
  const isAdvance = paper.kind === 'RECEIPT_VOUCHER';
  const hasStarted = paper.content.item.fromDate <= dayOf(portal.clock());
  if (isAdvance && hasStarted) {
    await invoiceAdvance(portal, caller, tx, paper);
    return documentRefund(portal, caller, tx, refund);
  }
  const about = { cycleId: refund.cycleId, refersToId: paper.id };
  const { amountPaise, reason } = refund;
  if (isAdvance) {
    const content = contentOfReturn(paper.content, amountPaise, referenceTo(paper), reason);
    return issueDocument(portal, caller, tx, { ...about, kind: 'REFUND_VOUCHER', content });
  }
  const content = creditNoteOf(paper.content, amountPaise, referenceTo(paper), reason, dayOf(portal.clock()));
  return issueDocument(portal, caller, tx, { ...about, kind: 'CREDIT_NOTE', content });
}

/**
 * Issues the tax invoices of prepaid cycles that have started, including on days when the portal was down (Rule 47 allows
 * 30 days). Each cycle gets one invoice, however often and from however many processes this is called.
 */
export async function invoiceStartedCycles(portal: Portal, stopping?: AbortSignal): Promise<void> {
  for (const due of await selectDueCycles(portal.db, dayOf(portal.clock()))) {
    if (stopping?.aborted) return;
    const caller: Caller = { customerId: due.customer_id };
    try {
      await transaction(portal.db, async (tx) => {
        await lockActivationOf(tx, due.id);
        const paper = await selectCurrentPaper(tx, due.id);
        if (paper?.kind !== 'RECEIPT_VOUCHER') return;
        // Refunded in full since the list was read.
        if ((await selectReturnedPaise(tx, paper.id)) === paper.total_paise) return;
        const invoice = await invoiceAdvance(portal, caller, tx, paper);
        const { item: dates } = paper.content;
        await happened(portal, caller, tx, { type: 'cycle.invoiced', cycleId: due.id, dates, invoice });
      });
    } catch (error) {
      // An error for one customer must not delay the others' invoices; the next round retries.
      portal.log.error({ err: error, cycleId: due.id }, 'a started cycle could not be invoiced');
    }
  }
}

/**
 * Invoices an advance less what was refunded of it, citing its receipt voucher. The buyer is that of today's profile. The tax rate is that
 * of the time of supply, which differs from the voucher's when the rate has changed since.
 */
async function invoiceAdvance(portal: Portal, caller: Caller, tx: Tx, voucher: DocumentRow): Promise<Issued> {
  const sold = saleOf(voucher.content);
  const { service_id: serviceId, plan } = await selectSold(tx, voucher.cycle_id);
  const gstRateBasisPoints = rateOfSupply(ratesOf(portal, serviceId, sold.gstRateBasisPoints), {
    suppliedOn: sold.item.fromDate,
    invoicedOn: dayOf(portal.clock()),
    paidOn: voucher.issued_on,
  });
  const totalPaise = sold.totalPaise - (await selectReturnedPaise(tx, voucher.id));
  const sale = { ...sold, totalPaise, gstRateBasisPoints };
  const content = contentOf(portal.settings, await profileOf(caller, tx), sale, { refersTo: referenceTo(voucher) });
  const duePaise = priceOf({ ...plan, gstRateBasisPoints }, content.tax === 'NONE').totalPaise;
  if (duePaise < sale.totalPaise) {
    const about = { cycleId: voucher.cycle_id, paidPaise: sale.totalPaise, duePaise };
    portal.log.warn(about, 'a plan costs less now than was paid in advance: the tax rate or the buyer has changed');
  }
  return issueDocument(portal, caller, tx, {
    kind: 'INVOICE',
    cycleId: voucher.cycle_id,
    content,
    refersToId: voucher.id,
  });
}

async function profileOf(caller: Caller, tx: Tx) {
  const profile = await readProfile(caller, tx);
  // The profile is required before the first payment, because an invoice must name the State (product §3.2).
  if (!profile) throw new Error(`customer ${caller.customerId} paid without a business profile`);
  return profile;
}
