import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { totalOfReplacement } from '#shared/domain/advance.ts';
import { dayOf } from '#shared/domain/day.ts';
import { type DocumentContent, lastCreditNoteDay } from '#shared/domain/document.ts';
import { happened } from '#server/features/events/events.ts';
import { readProvenProfile } from '#server/features/tax-claims/tax-claims.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner } from '#server/portal.ts';
import { amend } from './amend.ts';
import { askAboutBuyer, type BuyerStatus, requireActive } from './buyer-status.ts';
import { contentOf, creditNoteOf, overTotal, saleOf } from './content.ts';
import { issuedOf } from './finish.ts';
import { type Issued, type Issuer, issueDocument, referenceTo } from './issue.ts';
import {
  countCorrections,
  type DocumentRow,
  lockActivationOf,
  selectAmendment,
  selectFollowers,
  selectLostCorrection,
  selectOwnDocument,
  selectPaid,
  selectSold,
  selectSuppliedOn,
} from './store.ts';
import { selectRefusal } from './waiting.ts';

/** How often the invoice of a cycle may be corrected; the database enforces it too. */
const maxCorrections = 3;

/** Tax to refund after an invoice is replaced. */
export interface Excess {
  cycleId: string;
  paymentId: string;
  currency: string;
  amountPaise: number;
  /** The credit note to the replaced invoice; null when that invoice was cancelled and needs none. */
  document: Issued | null;
}

/** How an excess is refunded in the transaction of the replacement. Given by `refunds`, which documents don't know. */
export interface ExcessRefunds {
  /** Throws when it was refunded before. */
  requireNew: RequireNew;
  start: (portal: Issuer, owner: Owner, tx: Tx, excess: Excess) => Promise<void>;
}
export type RequireNew = (tx: Tx, excess: Omit<Excess, 'document'>) => Promise<void>;

/** What a correction has issued: without a credit note the invoice was amended, and keeps its number. */
export interface Correction {
  invoice: Issued;
  creditNote: Issued | null;
  refundPaise: number;
}

/**
 * Corrects the buyer's details of an invoice to those of the current business profile. Where only details change it is amended, once, with its
 * credit notes. Otherwise a credit note cancels the whole invoice, and a new invoice names the buyer. The issued invoice itself never changes.
 * Money moves only where tax was added to the price and is no longer due: it is refunded.
 */
export async function correctInvoice(
  portal: Issuer,
  owner: Owner,
  documentId: string,
  refunds: ExcessRefunds,
  /** What else is written in its transaction. */
  alongside?: (tx: Tx, correction: Correction) => Promise<void>,
): Promise<Correction> {
  for (;;) {
    const status = await askAboutBuyer(portal, await readProvenProfile(owner, portal.db));
    const done = await transaction(portal.db, async (tx) => {
      const correction = await correctWithin(portal, owner, tx, documentId, status, refunds);
      if (correction !== 'other-buyer') await alongside?.(tx, correction);
      return correction;
    });
    if (done !== 'other-buyer') return done;
  }
}

/** `other-buyer`: the business details have another GSTIN than the one that was asked about, and nothing was done. */
async function correctWithin(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  documentId: string,
  status: BuyerStatus,
  refunds: ExcessRefunds,
): Promise<Correction | 'other-buyer'> {
  const asked = await selectOwnDocument(owner, tx, documentId);
  if (!asked) throw refuse('not_found');
  if (asked.kind !== 'INVOICE') throw refuse('cannot_correct');
  await lockActivationOf(tx, asked.cycle_id);
  const found = { ...asked, content: (await selectAmendment(tx, asked.id))?.content ?? asked.content };
  const followers = await selectFollowers(tx, found.id);
  if (followers.some(({ kind }) => kind === 'INVOICE')) throw refuse('cannot_correct');
  const today = dayOf(portal.clock());
  const end = portal.settings.lastNoteDay;
  if (today > lastCreditNoteDay(found.content.item.fromDate, end)) throw refuse('too_late_to_correct');
  const profile = await readProvenProfile(owner, tx);
  if (!profile) throw refuse('profile_incomplete');
  if (profile.gstin !== status.gstin) return 'other-buyer';
  const reason = 'The buyer’s details were corrected';
  const wanted = contentOf(portal.settings, profile, saleOf(found.content), {
    suppliedOn: await selectSuppliedOn(tx, found),
    follows: issuedOf(found),
    reason,
  });
  if (isSameBuyer(wanted, found.content)) throw refuse('nothing_to_correct');
  if (await amend(portal, owner, tx, [found, ...followers], wanted, () => requireActive(status))) {
    const invoice = { id: found.id, ...referenceTo(found) };
    await happened(portal, owner, tx, { type: 'invoice.amended', invoice });
    return { invoice, creditNote: null, refundPaise: 0 };
  }
  // One that the invoice portal refused is no tax invoice, so that it is issued again even after a part of it was credited, over the rest; so is one
  // whose correction was lost with a database, and of which only the tax that it refunded was credited.
  const creditedPaise = followers.reduce((sum, note) => sum + note.total_paise, 0);
  const leftPaise = found.total_paise - creditedPaise;
  const isStuck = leftPaise > 0 && (await selectRefusal(portal, found.id)) !== undefined;
  if (followers.length > 0 && !isStuck && creditedPaise !== (await selectLostCorrection(tx, found.cycle_id)))
    throw refuse('cannot_correct');
  if ((await countCorrections(tx, found.cycle_id)) >= maxCorrections) throw refuse('corrected_too_often');
  const { cycle_id: cycleId, id: refersToId } = found;
  const due = await replacementOf(tx, found, overTotal(wanted, leftPaise), refunds.requireNew);
  if (due === 'more-due') throw refuse('correction_needs_payment');
  const content = overTotal(wanted, due.totalPaise);
  const buyer = requireActive(status);
  const invoice = await issueDocument(portal, owner, tx, { kind: 'INVOICE', cycleId, content, buyer, refersToId });
  const credited = followers.map((note) => note.content);
  // On a credit note, tax that was deducted (TDS) is what is reversed of it: here nothing is.
  const { withheldPaise: _stays, ...replacedSale } = found.content;
  const creditNote = await issueDocument(portal, owner, tx, {
    kind: 'CREDIT_NOTE',
    cycleId: found.cycle_id,
    content: creditNoteOf(replacedSale, credited, leftPaise, referenceTo(found), reason, { today, end }),
    refersToId: found.id,
  });
  const { refundPaise } = due;
  const replaced = referenceTo(found);
  await happened(portal, owner, tx, { type: 'invoice.corrected', replaced, creditNote, invoice, refundPaise });
  if (due.excess) await refunds.start(portal, owner, tx, { ...due.excess, document: creditNote });
  return { invoice, creditNote, refundPaise };
}

/**
 * What the invoice that replaces another one is over, and what of the payment is then over. `more-due`: tax would be due that was never paid.
 */
export async function replacementOf(tx: Tx, replaced: DocumentRow, wanted: DocumentContent, requireNew: RequireNew) {
  const { cycle_id: cycleId, payment_id: paymentId, content } = replaced;
  const { plan } = await selectSold(tx, cycleId);
  const { currency, paidPaise } = await selectPaid(tx, cycleId);
  const { totalPaise: heldPaise } = wanted.split;
  const totalPaise = totalOfReplacement({
    plan,
    paidPaise,
    heldPaise,
    gstRateBasisPoints: content.gstRateBasisPoints,
    wasZeroRated: content.tax === 'NONE',
    zeroRated: wanted.tax === 'NONE',
  });
  if (totalPaise === undefined) return 'more-due';
  const refundPaise = heldPaise - totalPaise;
  if (refundPaise === 0) return { totalPaise, refundPaise, excess: undefined };
  const excess = { cycleId, paymentId, currency, amountPaise: refundPaise };
  await requireNew(tx, excess);
  return { totalPaise, refundPaise, excess };
}

function isSameBuyer(one: DocumentContent, other: DocumentContent): boolean {
  return isDeepStrictEqual(one.recipient, other.recipient) && one.supplyType === other.supplyType;
}
