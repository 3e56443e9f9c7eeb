import type { NoRecharge } from '#shared/domain/recharge.ts';
import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/recharges/texts.hi.ts')).hindi;

/** Of packs that are debited before units run out, on the page of a plan. */
export const autoRechargeTexts = texts(
  (t) => ({
    title: t('Automatic recharge'),
    offer: t(
      'Let us debit a pack when your units are about to run out before the plan ends, at most as much in a month as you say.',
    ),
    set: t('Set up'),
    change: t('Change'),
    end: t('Turn recharge off'),
    endTitle: t('Turn automatic recharge off?'),
    endQuestion: t('No pack is debited any more. Your plan still renews automatically.'),
    endUnderWay: t('A debit was asked for already. If your bank still makes it, you get it back.'),
    keep: t('Keep it on'),
    ending: t('Turning off...'),
    ended: t('Automatic recharge is off'),
    endFailed: t('Automatic recharge could not be turned off'),
    pack: t('Pack'),
    packs: t('Packs'),
    upTo: t('At most'),
    left: t('Left this month'),
    unitsEnd: t('Units end'),
    last: t('Not before the plan does'),
    next: t('Next debit'),
    skip: t('Skip this debit'),
    skipTitle: t('Skip this debit?'),
    skipping: t('Skipping...'),
    skipped: t('The debit is skipped'),
    skippedMore: t('We don’t ask for these units again. You can recharge yourself at any time.'),
    keepDebit: t('Keep the debit'),
    notSaved: t('Nothing was changed'),
    saved: t('Automatic recharge is on'),
    payNow: t('Pay for the pack, or recharge yourself.'),
    ceiling: t('At most in a calendar month (₹)'),
    ceilingMore: t('GST included. A debit at the turn of a month counts in both.'),
    ceilingFault: t('Enter an amount in rupees, such as 500.'),
    ceilingTooLow: t('Enter at least the price of the pack.'),
    consentMore: t(
      'A debit takes up to two days. We write to you a day before we ask for it, and you can skip it then. When units run out sooner, we tell you and debit nothing. Turn it off at any time.',
    ),
    cancel: t('Cancel'),
    agree: t('Agree'),
    saving: t('Saving...'),
    units: (units: string) => t('{units} more', { units }),
    perMonth: (amount: string) => t('{amount} in a calendar month', { amount }),
    about: (time: string) => t('Around {time}', { time }),
    nextAsked: (amount: string, time: string) => t('{amount}, from {time} on if you go on as now', { amount, time }),
    nextUnderWay: (amount: string, day: string) =>
      t(
        '{amount} was asked for on {day}. Your bank answers in a day or two. If you buy a pack meanwhile, you get this debit back.',
        { amount, day },
      ),
    skipQuestion: (amount: string, time: string) => t('{amount} would be debited from {time} on.', { amount, time }),
    failed: (amount: string, day: string) =>
      t('The debit of {amount}, asked for on {day}, did not go through.', { amount, day }),
    consent: (pack: string, price: string, ceiling: string) =>
      t(
        '{pack} is debited (today {price}) by your mandate when your units would run out before the plan ends, at most {ceiling} in a calendar month.',
        { pack, price, ceiling },
      ),
    why: {
      off: t('It is off. No pack is debited.'),
      blocked: t('Nothing is debited while your account is blocked.'),
      suspended: t('We don’t debit automatically at the moment. Recharge yourself.'),
      disputed: t('Your bank disputes an earlier payment. Nothing is debited meanwhile.'),
      paused: t(
        'You paused the mandate in your UPI app or at your bank. Nothing is debited until you resume it there.',
      ),
      other_plan: t('Another plan is running than the one you agreed to recharge. Nothing is debited.'),
      withdrawn: t('The pack is not sold any more. Choose another one.'),
      dearer: t('The pack now costs more than one debit may take. Choose another one.'),
      monthly_ceiling: t(
        'The next debit would be above what you agreed to for the month. Raise it, or recharge yourself.',
      ),
      expires: t('The time for which you agreed to debits ends before the next one. Nothing is debited.'),
      skipped: t('You skipped the debit for these units. Recharge yourself if you need more.'),
      by_transfer: t('A pack waits for your bank transfer. Nothing is debited.'),
      replaced: t('You changed recharges or ordered a pack meanwhile. Nothing is debited.'),
      no_answer: t('Your bank has not answered in time. Recharge yourself.'),
      too_soon: t('Your units run out sooner than your bank could answer. Nothing is debited: recharge yourself.'),
      renewal_first: t(
        'The renewal of your plan is debited in these days, and goes first. No pack is debited: recharge yourself.',
      ),
      asked_before: t('Your bank was asked for these units before, and is not asked again. Recharge yourself.'),
      changed: t('The pack is not sold as it was any more. Nothing is debited: recharge yourself.'),
      gstin_not_active: t(
        'The GST portal says that your GSTIN is not active. Nothing is debited: correct your business profile and recharge yourself.',
      ),
      gstin_unknown: t(
        'The GST portal does not know your GSTIN. Nothing is debited: correct your business profile and recharge yourself.',
      ),
      sez_not_confirmed: t(
        'The GST portal does not confirm your special economic zone. Nothing is debited: correct your business profile and recharge yourself.',
      ),
      too_many_unpaid: t(
        'Too many of your subscriptions wait for their payment. Nothing is debited: recharge yourself.',
      ),
      not_possible: t('We can’t sell the pack right now. Nothing is debited. The fault is ours.'),
      not_in_time: t('Your bank could not be asked in time. Nothing is debited: recharge yourself.'),
    } satisfies Record<NoRecharge, string>,
  }),
  hindi,
);
