import type { CycleDates } from '#shared/domain/cycle.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { longDay, periodText } from '#shared/domain/day-text.ts';
import type { MandateEnder } from '#shared/domain/mandate.ts';
import type { NoRenewal } from '#shared/domain/renewal.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { Letter } from './letter.ts';
import { asGiven, billingPage, named, type PlanNamed, toPay, whoMayPay } from './texts.ts';

interface Mandate {
  activationId: string;
  planName: string;
}

const pin = 'Your UPI app asks for your PIN for each debit.';

export function mandateConfirmed(
  mandate: Mandate & { ceilingPaise: number; expiresOn: Day; pinEachTime: boolean },
): Letter {
  return {
    subject: `Renews automatically: ${mandate.planName} plan`,
    paragraphs: [
      `Your bank has confirmed that your ${mandate.planName} plan renews automatically. We write to you a day before we ask your bank for a debit, and you can skip it then.`,
      ...(mandate.pinEachTime ? [pin] : []),
      'You can turn this off at any time on the page of your plan, in your UPI app or at your bank. It costs nothing.',
    ],
    facts: [
      ['Plan', mandate.planName],
      ['At most', `${formatRupees(mandate.ceilingPaise)} per debit`],
      ['Until', longDay(addDays(mandate.expiresOn, -1))],
    ],
    link: { label: 'See when it renews', path: billingPage(mandate) },
  };
}

/** Whoever deletes an activation knows that its renewal ends with it. */
type ToldEnder = Exclude<MandateEnder, 'DELETION'> | 'REPLACED';

const endedBecause: Record<ToldEnder, string> = {
  CUSTOMER: 'You turned it off.',
  APP: 'It was ended in your UPI app, or by your bank.',
  OPERATOR: 'We ended it. The reason is on the page of your account.',
  EXPIRY: 'The time for which you agreed to it is over.',
  PLAN: 'The plan has ended before its last day, and you agreed that it goes on.',
  LAPSE: 'No plan has been running for some days.',
  DISPUTE: 'Your bank took a payment back.',
  REPLACED: 'You agreed to it in the checkout that you paid, but had turned it off by then, or begun a later checkout.',
};

export function mandateEnded(mandate: Mandate & { endedBy: ToldEnder }): Letter {
  return {
    subject: `No longer renews automatically: ${mandate.planName} plan`,
    paragraphs: [
      `Your ${mandate.planName} plan no longer renews automatically. ${endedBecause[mandate.endedBy]} We ask for no further debit.`,
      'What you have paid for stays. To continue, add a subscription and pay for it. If a debit was asked for already and still comes, it is refunded where no plan goes on, and else pays for your next period.',
    ],
    facts: [['Plan', mandate.planName]],
    link: { label: 'Open your plan', path: billingPage(mandate) },
  };
}

export function renewalAnnounced(
  plan: PlanNamed,
  renewal: { dates: CycleDates; amountPaise: number; debitOn: Day; pinEachTime: boolean; replacesPaise: number | null },
): Letter {
  const amount = formatRupees(renewal.amountPaise);
  return {
    subject: `Renews soon: ${amount} for ${named(plan)}`,
    paragraphs: [
      `Your plan renews automatically. We ask your bank for ${amount} on ${longDay(renewal.debitOn)}, and your bank debits it a day or two later.`,
      ...(renewal.pinEachTime ? [pin] : []),
      ...(renewal.replacesPaise === null
        ? []
        : [
            `The subscription that you added for these days at ${formatRupees(renewal.replacesPaise)} is not sold as it was any more. This one takes its place.`,
          ]),
      'If you don’t want this debit, skip it before then. You can also turn automatic renewal off.',
    ],
    facts: [
      ['Plan', named(plan)],
      ['Days', periodText(renewal.dates)],
      ['Amount', `${amount}, GST included`],
      ['Debited on or after', longDay(renewal.debitOn)],
    ],
    link: { label: 'Skip this debit', path: `${billingPage(plan)}?skip=${renewal.dates.fromDate}` },
  };
}

/** `null`: it is not told by this mail. */
const withheldBecause: Record<NoRenewal, string | null> = {
  deleted: null,
  blocked: null,
  not_asked: null,
  off: null,
  not_confirmed: 'Your bank has not confirmed it.',
  no_plan: null,
  skipped: null,
  given_up: null,
  by_transfer: 'You asked to pay for its next days by bank transfer.',
  suspended: 'We don’t renew plans automatically at the moment.',
  disputed: 'Your bank disputes an earlier payment.',
  paused: 'You paused the mandate in your UPI app or at your bank.',
  other_plan: 'You agreed to renew another plan than the one that is running.',
  given_days: null,
  later_plan: 'Your next plan begins later, and nothing covers the days between.',
  withdrawn: 'The plan is not sold any more.',
  dearer: 'The plan now costs more than you agreed to.',
  expires: 'The time for which you agreed to it ends before the debit.',
  changed: 'The subscription that you had added is not sold as it was any more. Remove it and add it again.',
  gstin_not_active: 'The GST portal says that the GSTIN of your business profile is not active.',
  gstin_unknown: 'The GST portal does not know the GSTIN of your business profile.',
  sez_not_confirmed:
    'The GST portal does not confirm that you are in a special economic zone, as your business profile says.',
  too_many_unpaid: 'Too many of your subscriptions wait for their payment. Pay for them or remove some.',
  not_possible: 'We can’t sell the next period right now. The fault is ours.',
  no_answer: null,
  not_in_time: 'Your bank could not be asked in time.',
};

export function renewalWithheld(
  plan: PlanNamed,
  renewal: { reason: NoRenewal; toDate: Day; on: Day; behindRecharge?: { cycleId: string | null } },
  payPath: string | undefined,
): Letter {
  if (renewal.reason === 'given_days')
    return {
      subject: `Renews later: ${named(plan)}`,
      paragraphs: [
        `We gave you days from ${longDay(renewal.toDate)} on, so we don’t ask your bank for the debit that we announced for them.`,
        'Your plan still renews automatically, after these days. We write to you again before we ask your bank.',
      ],
      facts: [['Plan', named(plan)]],
      link: { label: 'See when it renews', path: billingPage(plan) },
    };
  if (renewal.reason === 'no_answer')
    return {
      subject: `No answer from your bank: ${named(plan)}`,
      paragraphs: [
        `We asked your bank for the debit that renews your plan, and it has not answered. The last day of your plan was ${longDay(addDays(renewal.toDate, -1))}.`,
        `To continue now, pay for the next period. If your bank makes the debit after that, you get it back; if you don’t pay, a debit that comes soon starts your plan again.${whoMayPay(payPath)}`,
      ],
      facts: [['Plan', named(plan)]],
      link: toPay(plan, payPath),
    };
  if (renewal.behindRecharge)
    return {
      subject: `Won’t renew automatically: ${named(plan)}`,
      paragraphs: [
        'Your bank has not answered about the pack that we asked it for, and takes no other debit until it does. So we can’t ask it in time for your next period: your plan won’t renew automatically this time, and nothing is debited for it.',
        `The last day of your plan is ${longDay(addDays(renewal.toDate, -1))}. To continue without interruption, pay for the next period before then.${whoMayPay(payPath)}`,
      ],
      facts: [['Plan', named(plan)]],
      link: toPay(plan, payPath),
    };
  const why = withheldBecause[renewal.reason];
  return {
    subject: `Won’t renew automatically: ${named(plan)}`,
    paragraphs: [
      `Your plan won’t renew automatically this time.${why === null ? '' : ` ${why}`} Nothing is debited.`,
      renewal.on < renewal.toDate
        ? `Its last day is ${longDay(addDays(renewal.toDate, -1))}. To continue, ${renewal.reason === 'by_transfer' ? 'make the transfer in time, or pay otherwise. If we have written to you that we check your transfer, the money has come: don’t send it again, but answer us soon' : 'add a subscription and pay for it before then'}.`
        : `Its last day was ${longDay(addDays(renewal.toDate, -1))}. To continue, add a subscription and pay for it.`,
    ],
    facts: [['Plan', named(plan)]],
    link: {
      label: renewal.reason === 'by_transfer' ? 'Open your plan' : 'Add a subscription',
      path: billingPage(plan),
    },
  };
}

export function renewalFailed(
  plan: PlanNamed,
  failed: {
    amountPaise: number;
    reason: string | null;
    againOn: Day | null;
    isAnnouncedAnew?: true;
    isSkipped?: true;
  },
  payPath: string | undefined,
): Letter {
  if (failed.isSkipped)
    return {
      subject: `Renewal skipped: ${named(plan)}`,
      paragraphs: [
        `You skipped the debit of ${formatRupees(failed.amountPaise)} for your next period at your bank. You have not been charged, and we don’t ask again.`,
        `Your plan ends on its last day. To continue without interruption, pay for the next period before then.${whoMayPay(payPath)}`,
      ],
      facts: [['Plan', named(plan)]],
      link: toPay(plan, payPath),
    };
  return {
    subject: `Renewal not paid: ${named(plan)}`,
    paragraphs: [
      `The debit of ${formatRupees(failed.amountPaise)} for your next period did not go through${asGiven(failed.reason)}. You have not been charged.`,
      failed.isAnnouncedAnew
        ? 'Your plan still renews automatically after the days that we gave you. We write to you again before we ask your bank. You can pay now: then nothing is debited.'
        : failed.againOn === null
          ? `We don’t try again. To continue without interruption, pay for the next period before your plan ends.${whoMayPay(payPath)}`
          : `We ask your bank once more on ${longDay(failed.againOn)}. You can pay now: then nothing is debited.${whoMayPay(payPath)}`,
    ],
    facts: [['Plan', named(plan)]],
    link: toPay(plan, payPath),
  };
}
