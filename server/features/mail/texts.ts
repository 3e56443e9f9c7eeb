import type { Day } from '#shared/domain/day.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import type { CycleDates } from '#shared/domain/cycle.ts';
import type { PaidPeriod } from '#shared/domain/bill-event.ts';
import { endText, longDay, minuteText, periodText } from '#shared/domain/day-text.ts';
import { type DocumentReference, titleOf } from '#shared/domain/document.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import type { QuotaThreshold } from '#shared/domain/quota-thresholds.ts';
import { paper } from './document-texts.ts';
import type { Letter } from './letter.ts';

/** A plan as named in mails. */
export interface PlanNamed {
  productName: string;
  planName: string;
  activationId: string;
  /** Its quotas count units, not calls. */
  inUnits?: boolean;
  /** Packs can be added to it. */
  hasPacks?: boolean;
  /** It is a pack itself. */
  isPack?: boolean;
}

export const named = ({ productName, planName, isPack }: PlanNamed) =>
  `${productName}, ${planName}${isPack ? '' : ' plan'}`;
export const billingPage = ({ activationId }: Pick<PlanNamed, 'activationId'>) =>
  `/activations/${activationId}/billing`;
/** The provider’s words for why a payment failed, at the end of a sentence of ours. */
export const asGiven = (reason: string | null) => (reason ? `: ${reason.replace(/\.$/, '')}` : '');
/** For mails that ask for a payment: its pay link, by which anybody can pay (decision 077), or the page of the plan when there is nothing to pay by a link. */
export const toPay = (plan: PlanNamed, payPath: string | undefined, label = 'Pay now') => ({
  label,
  path: payPath ?? billingPage(plan),
});
export const whoMayPay = (payPath: string | undefined): string =>
  payPath === undefined ? '' : ' No account is needed: you can forward this mail to whoever pays for you.';
const apiPage = ({ activationId }: PlanNamed) => `/api/${activationId}`;
const paperName = (document: DocumentReference) => `${titleOf(document)} ${document.number}`;

/** For a payment that paid for a cycle; its invoice, or the receipt voucher of an advance, is attached. */
export function paymentReceived(
  plan: PlanNamed,
  paid: {
    amountPaise: number;
    paymentId: string;
    dates: CycleDates;
    document: DocumentReference;
    periods: readonly PaidPeriod[];
    transfer?: { utr: string; withheldPaise: number };
  },
): Letter {
  const { fromDate } = paid.dates;
  const withheldPaise = paid.transfer?.withheldPaise ?? 0;
  const later = paid.periods.slice(1);
  const isAdvance = paid.document.kind === 'RECEIPT_VOUCHER';
  const invoice = titleOf({ ...paid.document, kind: 'INVOICE' }).toLowerCase();
  return {
    subject: `Payment received: ${formatRupees(paid.amountPaise)} for ${named(plan)}`,
    paragraphs: [
      `We received your payment. ${isAdvance ? `Your plan starts automatically on ${longDay(fromDate)}.` : 'Your plan is active.'}`,
      isAdvance
        ? `The ${paper(paid.document)} is attached. The ${invoice} follows on the day the plan starts. You don’t need to do anything.`
        : `The ${paper(paid.document)} is attached. You don’t need to do anything.`,
      ...(later.length > 0
        ? [
            `You paid for ${paid.periods.length} periods. Each later one starts when the one before it ends. Its receipt voucher is attached, and its ${invoice} follows on the day it starts.`,
          ]
        : []),
      ...(withheldPaise > 0
        ? [
            `You deducted ${formatRupees(withheldPaise)} as tax (TDS). Once you have the certificate, declare it in your billing history.`,
          ]
        : []),
    ],
    facts: [
      ['Plan', named(plan)],
      ['Days', periodText(paid.dates)],
      ...later.map(({ dates, document }): [string, string] => [paperName(document), periodText(dates)]),
      ['Amount', formatRupees(paid.amountPaise)],
      ...(withheldPaise > 0
        ? ([
            ['Deducted as tax (TDS)', formatRupees(withheldPaise)],
            ['Transferred', formatRupees(paid.amountPaise - withheldPaise)],
          ] satisfies [string, string][])
        : []),
      ['Payment', paid.paymentId],
      ...(paid.transfer ? ([['Bank transfer (UTR)', paid.transfer.utr]] satisfies [string, string][]) : []),
    ],
    link: { label: 'Open your plan', path: billingPage(plan) },
  };
}

/** For a prepaid cycle that has started; its invoice is attached. */
export function planStarted(plan: PlanNamed, days: { fromDate: Day; toDate: Day }, invoice: DocumentReference): Letter {
  return {
    subject: `Your plan has started: ${named(plan)}`,
    paragraphs: [
      'The plan that you paid for in advance is now active.',
      `The ${paper(invoice)} is attached. You don’t need to do anything.`,
    ],
    facts: [
      ['Plan', named(plan)],
      ['Days', periodText(days)],
    ],
    link: { label: 'Open your plan', path: billingPage(plan) },
  };
}

export function paymentFailed(
  plan: PlanNamed,
  failed: { amountPaise: number; paymentId: string; reason: string | null; isOfBill?: true },
  payPath: string | undefined,
): Letter {
  return {
    subject: `Payment not completed: ${named(plan)}`,
    paragraphs: [
      `Your payment of ${formatRupees(failed.amountPaise)} did not go through${asGiven(failed.reason)}.`,
      'You have not been charged. If your bank shows a deduction, the bank returns it automatically, normally within 5 to 7 working days.',
      failed.isOfBill
        ? `Your bill is still to be paid.${whoMayPay(payPath)}`
        : payPath === undefined
          ? 'To get the plan, pay again from your subscriptions.'
          : `To get the plan, pay again.${whoMayPay(payPath)}`,
    ],
    facts: [
      ['Plan', named(plan)],
      ['Payment', failed.paymentId],
    ],
    link: failed.isOfBill ? { label: 'Pay the bill', path: payPath ?? '/billing' } : toPay(plan, payPath, 'Pay again'),
  };
}

export function planEnds(plan: PlanNamed, daysLeft: number, toDate: Day): Letter {
  const when = daysLeft === 1 ? 'tonight' : `in ${daysLeft} days`;
  const lastDay = longDay(addDays(toDate, -1));
  const end = endText(toDate, addDays(toDate, -daysLeft));
  return {
    subject: `Your plan ends ${when}: ${named(plan)}`,
    paragraphs: [
      `Your plan ends ${when}. Its last day is ${daysLeft === 1 ? `today, ${lastDay}` : lastDay}, and no paid plan follows it. From ${end}, your API calls will be refused.`,
      'To continue without interruption, add a subscription and pay for it before then. It starts automatically when this one ends.',
    ],
    facts: [['Plan', named(plan)]],
    link: { label: 'Add a subscription', path: billingPage(plan) },
  };
}

const quotaSentence: Record<QuotaThreshold, (quota: 'daily' | 'monthly') => string> = {
  60: (quota) => `Your usage has exceeded 60% of your ${quota} quota.`,
  80: () => "Your usage has exceeded 80%. If you don't recharge soon, your service may be interrupted.",
  100: (quota) => `Your ${quota} quota is used up. Further API calls are refused until it renews.`,
};

export function quotaUsed(
  plan: PlanNamed,
  quota: { kind: 'daily' | 'monthly'; notice: QuotaThreshold; used: number; limit: number; renewsOn: Day },
): Letter {
  const { kind, notice, used, limit, renewsOn } = quota;
  const isRecharge = plan.hasPacks === true && notice >= 80;
  return {
    subject:
      notice === 100
        ? `Your ${kind} quota is used up: ${named(plan)}`
        : `${notice}% of your ${kind} quota is used: ${named(plan)}`,
    paragraphs: [
      quotaSentence[notice](kind),
      isRecharge
        ? 'To continue, recharge: a pack raises both quotas of your running plan as soon as it is paid.'
        : kind === 'daily'
          ? 'The daily quota renews at midnight IST. For more per day, choose a larger plan for your next subscription.'
          : 'The monthly quota renews with your next subscription. To continue earlier, choose a larger plan.',
    ],
    facts: [
      ['Plan', named(plan)],
      [plan.inUnits ? 'Units used' : 'Calls used', `${formatNumber(used)} of ${formatNumber(limit)}`],
      [kind === 'daily' ? 'Renews' : 'Plan ends', `${longDay(renewsOn)}, 00:00 IST`],
    ],
    link: isRecharge
      ? { label: 'Recharge', path: `${billingPage(plan)}?recharge` }
      : { label: 'See your usage', path: apiPage(plan) },
  };
}

/** For a webhook that was switched off, because deliveries failed for days or because it responded with 410. */
export function webhookDisabled(url: string, reason: 'FAILING' | 'GONE'): Letter {
  return {
    subject: `Webhook switched off: ${new URL(url).host}`,
    paragraphs: [
      reason === 'GONE'
        ? 'Your webhook responded with 410 Gone, so we have switched it off and will send nothing more to it.'
        : 'Deliveries to your webhook have failed for three days, so we have switched it off and will send nothing more to it.',
      'When it works again, switch the webhook on and replay the missed deliveries. Deliveries are kept for 30 days.',
    ],
    facts: [['Address', url]],
    link: { label: 'See its deliveries', path: '/developers/webhooks' },
  };
}

/** A key was used from a network that is new to it. */
export function keyFromNewNetwork(used: {
  keyName: string;
  activationId: string;
  address: string;
  client: string;
  at: Date;
}): Letter {
  return {
    subject: `API key ${used.keyName}: first use from a new network`,
    paragraphs: [
      `Your API key ${used.keyName} was used from ${used.address}, a network that it had not been used from before.`,
      'If this was you, for example after a move to another server, you don’t need to do anything. If not, replace the key now: the old one can stop working at once.',
    ],
    facts: [
      ['Address', used.address],
      ['Client', used.client === '' ? 'not stated' : used.client],
      ['Time', `${longDay(dayOf(used.at.getTime()))}, ${minuteText(used.at)} IST`],
      ['Activation', used.activationId],
    ],
    link: { label: 'Open your API keys', path: `/api/${used.activationId}?tab=keys` },
  };
}
