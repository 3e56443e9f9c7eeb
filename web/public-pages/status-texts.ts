import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/public-pages/status-texts.hi.ts')).hindi;

/** Of /status. */
export const statusPageTexts = texts(
  (t) => ({
    title: t('Status'),
    description: (provider: string) =>
      t('Whether each API of {provider} works now, and how it did in the last 90 days.', { provider }),
    summary: {
      up: t('All APIs work.'),
      degraded: t('Some checks fail: calls may fail, and can be repeated.'),
      down: t('At least one API is down.'),
      unknown: t('Not every API was checked in the last minutes, so nothing is known of it.'),
    },
    checkedAt: (moment: string) => t('Last check: {moment} IST.', { moment }),
    states: { up: t('Up'), degraded: t('Some checks fail'), down: t('Down'), unknown: t('Unknown') },
    noData: t('Nothing was checked so far.'),
    daysChecked: (count: number) => t('{count, plural, one {# day} other {# days}}', { count }),
    sum: (share: string, checks: string, days: string) =>
      t('{share} of {checks} checks on {days} succeeded.', { share, checks, days }),
    gatewayOnly: t('This API has no check of its own: its status is that of the gateway.'),
    about: (name: string) => t('About {name}', { name }),
    badDays: (count: number) => t('{count, plural, one {# day with failures} other {# days with failures}}', { count }),
    day: t('Day'),
    failedChecks: t('Failed checks'),
    allChecks: t('All checks'),
    strip: (checked: number, bad: number) =>
      t(
        'The last 90 days: {checked, plural, one {# was checked} other {# were checked}}, {bad, plural, =0 {none with failures} one {# with failures} other {# with failures}}.',
        { checked, bad },
      ),
    notChecked: (day: string) => t('{day}: not checked', { day }),
    ofDay: (day: string, failed: string, checks: string) =>
      t('{day}: {failed} of {checks} checks failed', { day, failed, checks }),
    today: t('Today'),
    how: t(
      'Every minute the portal asks the gateway, and the gateway asks each API. An API is down when two checks in a row fail. Days are in IST.',
    ),
  }),
  hindi,
);
