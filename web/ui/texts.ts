import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/ui/texts.hi.ts')).hindi;

/** What every page says in the same words. */
export const uiTexts = texts(
  (t) => ({
    titleOf: (page: string) => t('{page} · Portal', { page }),
    tryAgain: t('Try Again'),
    offline: {
      waits: t('You are offline. The page will continue when you are back online.'),
      asOf: (time: string) => t('You are offline; this is as of {time}.', { time }),
    },
    unreachable: {
      waits: t('The portal can’t be reached. The page will continue when it can.'),
      asOf: (time: string) => t('The portal can’t be reached; this is as of {time}.', { time }),
    },
    close: t('Close'),
    copy: t('Copy'),
    copied: t('Copied!'),
    copyFailed: t('Select and copy it by hand'),
    copyValue: (value: string) => t('Copy {value}', { value }),
    done: t('Done'),
    uncopied: {
      title: t('Leave without copying?'),
      text: t("You haven't copied it yet, and it won't be shown again. To replace it later you would need a new one."),
    },
    /** While what is shown once is being made. */
    unseen: {
      title: t('Leave before it is shown?'),
      text: t('It is being made right now, and it is shown only once.'),
    },
    closeAnyway: t('Close anyway'),
    keepOpen: t('Keep open'),
    unsaved: {
      title: t('Leave without saving?'),
      text: t('What you have typed on this page is not saved yet.'),
    },
    stay: t('Stay here'),
    leave: t('Leave'),
    /** Days (product §10.1). */
    today: t('Today'),
    yesterday: t('Yesterday'),
    lastWeek: t('Last Week'),
    daysAgo: (days: number) => t('{days} days ago', { days }),
    days: (days: number) => t('{days, plural, one {# day} other {# days}}', { days }),
    /** Of an unpaid cycle. */
    fromPayment: (days: string) => t('{days} from the day you pay', { days }),
    /** That calls are refused, beside a status (product §4.16). */
    refused: {
      untilMidnight: t('Calls are refused until 00:00 IST'),
      until: (end: string) => t('Calls are refused until {end}', { end }),
      gap: (from: string, last: string) => t('Calls are refused from {from} to {last}', { from, last }),
      none: {
        'no-plan': t('Calls are refused: no plan is running'),
        'unpaid-bill': t('Calls are refused until the bill is paid'),
        'daily-quota': t('Calls are refused: the daily quota is used up and no plan follows'),
        'monthly-quota': t('Calls are refused: the quota of the plan is used up'),
      },
    },
    /** The remedy of a warning from 80 % on. */
    renewOrUpgrade: t('Renew or upgrade'),
    recharge: t('Recharge'),
    free: t('FREE'),
    refund: {
      label: t('Refund'),
      done: (amount: string) => t('{amount} is refunded to the account it was paid from.', { amount }),
      /** Of a refund that can't go back the way it was paid. */
      transfer: t('How it is paid'),
      transferMore: (amount: string) =>
        t(
          '{amount} can’t go back the way you paid. We transfer it to your bank account, and ask for the account by mail.',
          { amount },
        ),
      /** Of a bill that is not paid yet. */
      offsetMore: (amount: string) => t('{amount} less is due of your bill.', { amount }),
      /** Of tax that was deducted from the bank transfer. */
      withheld: t('Deducted as tax (TDS)'),
      withheldMore: (amount: string) => t('{amount} of the price never came to us, so it is not refunded.', { amount }),
      transferDone: (amount: string, transferred: string) =>
        t('{amount} is refunded, {transferred} of it by bank transfer. We ask for your bank account by mail.', {
          amount,
          transferred,
        }),
    },
    /** Of a plan that the provider granted. */
    grantedFor: (reason: string) => t('Granted by the provider: {reason}', { reason }),
    /** Of a menu of rarer actions. */
    more: t('More'),
    /** Of a long list on a phone. */
    showMore: (count: number, left: number) =>
      count === left ? t('Show {count} more', { count }) : t('Show {count} more of {left}', { count, left }),
    /** Of a change that a gateway has not confirmed yet. */
    effectiveBy: (time: string) => t('It takes effect by {time} IST at the latest.', { time }),
    /** The statuses, underscores shown as spaces (product §4.1). */
    statuses: {
      ACTIVATED: t('ACTIVATED'),
      FREE: t('FREE'),
      PAID: t('PAID'),
      PENDING: t('PENDING'),
      PAYMENT_PENDING: t('PAYMENT PENDING'),
      DUE: t('DUE'),
      NO_PAYMENT_REQUIRED: t('NO PAYMENT REQUIRED'),
      GRANTED: t('GRANTED'),
      EXPIRED: t('EXPIRED'),
      DEACTIVATED: t('DEACTIVATED'),
      REMOVED: t('REMOVED'),
      REFUNDED: t('REFUNDED'),
    },
    ofRequests: (used: string, limit: string) => t('{used} of {limit} requests', { used, limit }),
    /** product §7.2. */
    exceeded60: {
      daily: t('Your usage has exceeded 60% of your daily quota.'),
      monthly: t('Your usage has exceeded 60% of your monthly quota.'),
      days: (days: number) => t('Your usage has exceeded 60% of your {days}-day quota.', { days }),
    },
    quotas: {
      daily: t('Daily quota'),
      monthly: t('Monthly quota'),
      days: (days: number) => t('{days}-day quota', { days }),
    },
    exceeded80: t("Your usage has exceeded 80%. If you don't recharge soon, your service may be interrupted."),
    coverage: {
      note: {
        active: (to: string) => t('to {to}', { to }),
        prepaid: (to: string) => t('prepaid, to {to}', { to }),
        pending: () => t('payment pending'),
      },
      spoken: {
        active: (cycle: { name: string; period: string }) => t('{name} active {period}', cycle),
        prepaid: (cycle: { name: string; period: string }) => t('{name} prepaid {period}', cycle),
        pending: (cycle: { name: string; period: string }) => t('{name} payment pending {period}', cycle),
      },
      all: (cycles: string, today: string) => t('Coverage. {cycles}. Today is {today}.', { cycles, today }),
    },
  }),
  hindi,
);
