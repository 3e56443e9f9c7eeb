import type { MandateMethod } from '#shared/domain/mandate.ts';
import type { NoRenewal } from '#shared/domain/renewal.ts';
import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/renewals/texts.hi.ts')).hindi;

/** Of the consent beside a payment. */
export const consentTexts = texts(
  (t) => ({
    renew: t('Renew automatically'),
    renewWithPin: t('Renew automatically by UPI, with your PIN each time'),
    by: t('Debited by'),
    methods: { upi: t('UPI'), card: t('Card') } satisfies Record<MandateMethod, string>,
    terms: (plan: string, ceiling: string, end: string) =>
      t('{plan} renews each time it ends, at most {ceiling} per debit, until {end}.', { plan, ceiling, end }),
    next: (day: string) =>
      t('The next debit is on or after {day}. We write to you the day before. Turn it off at any time.', { day }),
  }),
  hindi,
);

/** Of the mandate on the page of a plan. */
export const renewalTexts = texts(
  (t) => ({
    title: t('Automatic renewal'),
    follows: t('It renews automatically, so the next period follows.'),
    plan: t('Plan'),
    upTo: t('At most'),
    perDebit: (amount: string) => t('{amount} per debit', { amount }),
    until: t('Until'),
    next: t('Next debit'),
    nextAsked: (amount: string, day: string) => t('{amount}, on or after {day}', { amount, day }),
    nextUnderWay: (amount: string, until: string) =>
      t(
        '{amount} was asked for. Your bank answers in a day or two. You can pay yourself once it has, or from {until}: before, both could be taken.',
        { amount, until },
      ),
    nextUnanswered: (amount: string) =>
      t(
        '{amount} was asked for, and your bank has not answered. You can pay yourself: if it is debited after that, you get it back.',
        { amount },
      ),
    period: t('Next period'),
    pin: t('Your UPI app asks for your PIN each time.'),
    skip: t('Skip the next debit'),
    skipTitle: t('Skip this debit?'),
    skipQuestion: (amount: string, day: string) => t('{amount} would be debited on or after {day}.', { amount, day }),
    skipping: t('Skipping...'),
    skipped: t('The next debit is skipped'),
    skippedMore: (end: string) => t('Your plan ends on {end}, unless you pay for the next period yourself.', { end }),
    skippedUntil: (end: string) =>
      t('The next debit is skipped. Your plan ends on {end}, unless you pay for the next period yourself.', { end }),
    keepDebit: t('Keep the debit'),
    resume: t('Debit it after all'),
    resuming: t('Saving...'),
    resumed: t('Your plan renews again'),
    notSaved: t('Nothing was changed'),
    end: t('Turn off'),
    endTitle: t('Turn automatic renewal off?'),
    endQuestion: (plan: string) =>
      t('Nothing more is debited for {plan}. What you have paid for stays. You can agree again with a later payment.', {
        plan,
      }),
    endUnderWay: t(
      'A debit was asked for already. If your bank still makes it, you get it back where no plan runs; else cancel the period before it starts, and you get all of it back.',
    ),
    keep: t('Keep it on'),
    ending: t('Turning off...'),
    ended: t('Automatic renewal is off'),
    endFailed: t('Automatic renewal could not be turned off'),
    notCancelled: t('Nothing is debited any more. Your bank has not confirmed the end yet, and we keep asking for it.'),
    endedBy: {
      CUSTOMER: t('You turned it off. Nothing more is debited.'),
      APP: t('It was ended in your UPI app, or by your bank. Nothing more is debited.'),
      OPERATOR: t('We ended it. The reason is on the page of your account. Nothing more is debited.'),
      EXPIRY: t('The time for which you agreed to it is over. Nothing more is debited.'),
      DELETION: t('It ended with what it renewed.'),
      PLAN: t('It ended with the plan that it renewed. Nothing more is debited.'),
      LAPSE: t('It ended because no plan was running. Nothing more is debited.'),
      DISPUTE: t('It ended because your bank took a payment back. Nothing more is debited.'),
    },
    failed: (amount: string, day: string) =>
      t('The debit of {amount}, asked for on {day}, did not go through.', { amount, day }),
    again: (day: string) => t('We ask once more on {day}. If you pay before, nothing is debited.', { day }),
    payNow: t('Pay for the next period before your plan ends.'),
    waitsForRecharge: t(
      'Your bank has not answered about a pack yet. It takes one debit at a time: we ask for the next period once it has, or tell you in time to pay for it yourself.',
    ),
    behindRecharge: t(
      'Your bank has not answered about a pack, and takes no other debit until it does. Nothing is debited for the next period: pay for it yourself.',
    ),
    why: {
      deleted: t('It ended with what it renewed.'),
      blocked: t('Nothing is debited while your account is blocked.'),
      suspended: t('We don’t renew plans automatically at the moment. Nothing is debited.'),
      not_asked: t('It does not renew automatically.'),
      off: t('It is off. Nothing is debited.'),
      paused: t('You paused it in your UPI app or at your bank. Nothing is debited until you resume it there.'),
      not_confirmed: t('Your bank is confirming it. Nothing is debited before.'),
      no_plan: t('No plan is running, so nothing is debited.'),
      other_plan: t('Another plan is running than the one you agreed to renew. Nothing is debited.'),
      later_plan: t('Your next plan begins later. Nothing is debited for the days between.'),
      given_days: t('We gave you more days. Nothing is debited for them.'),
      withdrawn: t('The plan is not sold any more. Nothing is debited.'),
      dearer: t('The plan now costs more than you agreed to. Nothing is debited.'),
      expires: t('The time for which you agreed to it ends before the next debit. Nothing is debited.'),
      given_up: t('You removed the next period, or it was given back to you. Nothing is debited for it.'),
      by_transfer: t(
        'You asked to pay for the next period by bank transfer. Nothing is debited for it: both could be taken.',
      ),
      disputed: t('Your bank disputes an earlier payment. Nothing is debited meanwhile.'),
      changed: t(
        'What you had added is not sold as it was any more. Nothing is debited: remove it, add it again and pay for it.',
      ),
      gstin_not_active: t(
        'The GST portal says that your GSTIN is not active. Nothing is debited: correct your business profile and pay for the next period yourself.',
      ),
      gstin_unknown: t(
        'The GST portal does not know your GSTIN. Nothing is debited: correct your business profile and pay for the next period yourself.',
      ),
      sez_not_confirmed: t(
        'The GST portal does not confirm your special economic zone. Nothing is debited: correct your business profile and pay for the next period yourself.',
      ),
      too_many_unpaid: t(
        'Too many of your subscriptions wait for their payment. Nothing is debited: pay for the next period yourself.',
      ),
      not_possible: t('We can’t sell the next period right now. Nothing is debited. The fault is ours.'),
      no_answer: t('Your bank has not answered in time. Pay for the next period yourself.'),
      not_in_time: t('Your bank could not be asked in time. Nothing is debited: pay for the next period yourself.'),
    } satisfies Record<Exclude<NoRenewal, 'skipped'>, string>,
  }),
  hindi,
);
