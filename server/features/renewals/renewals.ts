import type { Renewal as ShownRenewal } from '#shared/contract/renewals.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays, type Day, dayOf, laterDay } from '#shared/domain/day.ts';
import { askDay, debitDay, isLiveDebit, nextDebitDay, renewsStill } from '#shared/domain/mandate.ts';
import { whyNotRenewed } from '#shared/domain/renewal.ts';
import { rupees } from '#shared/domain/money.ts';
import {
  changeSkip,
  type DebitRow,
  endMandate,
  type MandateRow,
  selectDebitsOf,
  selectMandates,
  sentDebit,
} from '#server/features/mandates/mandates.ts';
import { readRecharge } from '#server/features/recharges/recharges.ts';
import { lockActivation, requireActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { readRenewalFacts, type Renewal } from './facts.ts';

export { renewDue } from './renew-due.ts';

/** Whether and when an activation renews by itself, in what the page needs to say so. */
export async function readRenewal(portal: Portal, owner: Owner, activationId: string): Promise<ShownRenewal> {
  const { db } = portal;
  const activation = await requireActivation(owner, db, activationId);
  const [mandate] = await selectMandates(owner, db, activationId);
  if (!mandate)
    return {
      mandate: null,
      next: null,
      whyNot: null,
      isBehindRecharge: false,
      failed: null,
      recharge: null,
      debits: [],
    };
  const debits = await selectDebitsOf(owner, db, activationId, 'periods');
  const recharge = await readRecharge(portal, owner, db, activationId);
  const shown = {
    mandate: describeMandate(mandate),
    isBehindRecharge: false,
    recharge,
    debits: debits.map(describeDebit),
  };
  const sent = await sentDebit(db, activationId);
  if (sent && !sent.isRemoved) {
    const { dates, amountPaise, askedOn, waitsUntilMs } = sent;
    const waitsUntil = new Date(waitsUntilMs).toISOString();
    const next = { ...dates, amount: rupees(amountPaise), debitOn: askedOn, waitsUntil };
    return { ...shown, next, whyNot: mandate.state === 'ENDED' ? 'off' : null, failed: null };
  }
  if (mandate.state === 'ENDED') return { ...shown, next: null, whyNot: 'off', failed: null };
  const renewal = await readRenewalFacts(portal, owner, db, activation, portal.catalog);
  const whyNot = whyNotRenewed(renewal.facts) ?? null;
  const { failedOn, debits: tried } = renewal.facts;
  const askOn = renewal.last && askDay({ tries: tried.length, failedOn }, renewal.last.to_date);
  return {
    ...shown,
    next: whyNot === null || whyNot === 'skipped' ? describeNext(renewal, askOn, dayOf(portal.clock())) : null,
    whyNot,
    isBehindRecharge: isBehindRecharge(renewal, dayOf(portal.clock())),
    // A skip says it all, also of a debit that its payer skipped at the bank.
    failed:
      whyNot === 'skipped' ? null : describeFailed(renewal.debits.at(-1), whyNot === null ? (askOn ?? null) : null),
  };
}

/** Would the next debit be asked for by now, had the bank answered about a pack? */
const isBehindRecharge = ({ facts: { isPackAtBank, last } }: Renewal, today: Day): boolean =>
  isPackAtBank && last !== undefined && today >= debitDay(last.toDate);

/** May the bank pay it? */
const isSent = ({ state, sent_at: sentAt }: DebitRow): boolean => isLiveDebit(state) && sentAt !== null;

/** Null when there is none, or no debit is asked for any more. */
function describeNext({ last, next }: Renewal, askOn: Day | undefined, today: Day) {
  if (!next || !last || askOn === undefined) return null;
  const debitOn = laterDay(nextDebitDay(last.to_date, today), askOn);
  return { ...next.dates, amount: rupees(next.pricePaise), debitOn, waitsUntil: null };
}

function describeFailed(debit: DebitRow | undefined, againOn: Day | null) {
  if (debit?.state !== 'FAILED') return null;
  const { amount_paise: paise, asked_at: at, reason } = debit;
  return { amount: rupees(paise), askedOn: dayOf(at.getTime()), reason, againOn };
}

function describeMandate(mandate: MandateRow) {
  return {
    id: mandate.id,
    planName: mandate.plan_name,
    ceiling: rupees(mandate.ceiling_paise),
    pinEachTime: mandate.pin_each_time,
    method: mandate.method,
    lastDay: addDays(mandate.expires_on, -1),
    state: mandate.state,
    agreedOn: dayOf(mandate.asked_at.getTime()),
    endedBy: mandate.ended_by,
    isCancelled: mandate.token_over_at !== null,
  };
}

function describeDebit(debit: DebitRow) {
  return {
    orderId: debit.order_id,
    cycleId: debit.cycle_id,
    attempt: debit.attempt,
    amount: rupees(debit.amount_paise),
    state: debit.state,
    reason: debit.reason,
    askedOn: dayOf(debit.asked_at.getTime()),
    paymentId: debit.payment_id,
  };
}

/** Skips the next debit, or takes that back. */
export async function skipRenewal(
  portal: Portal,
  owner: Owner,
  activationId: string,
  isSkipped: boolean,
): Promise<ShownRenewal> {
  await transaction(portal.db, async (tx) => {
    const activation = await lockActivation(owner, tx, activationId);
    if (!activation) throw refuse('not_found');
    const { mandate, facts, debits, moved } = await readRenewalFacts(portal, owner, tx, activation, portal.catalog);
    if (!mandate || !facts.last || !renewsStill(mandate.state)) throw refuse('not_renewing');
    if ([...debits, ...moved].some(isSent)) throw refuse('payment_under_way');
    await changeSkip(portal, tx, mandate, facts.last.toDate, isSkipped ? 'CUSTOMER' : null);
  });
  return readRenewal(portal, owner, activationId);
}

/** Nothing is debited from now on. */
export async function endRenewal(portal: Portal, owner: Owner, activationId: string): Promise<ShownRenewal> {
  await endMandate(portal, owner, activationId);
  return readRenewal(portal, owner, activationId);
}
