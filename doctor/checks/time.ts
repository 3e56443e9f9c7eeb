import { databaseTime } from '#shared/database/expressions.ts';
import { dayOf } from '#shared/domain/day.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { ask } from '#doctor/replies.ts';

/** Less is the delay of a busy machine, and Date headers have whole seconds. */
const noticedMs = 2500;
/** Google's tokens are accepted within 30 seconds. */
const harmfulMs = 30_000;

export const clock: Check = {
  name: 'clock',
  about: 'the clock of this machine beside those of the database and of Razorpay',
  examine: async ({ db, portal, now }) => {
    const findings: Finding[] = [];
    if (db !== undefined) {
      const asked = now();
      const { time } = await db.selectNoFrom(databaseTime.as('time')).executeTakeFirstOrThrow();
      findings.push(skewOf('the database', time, (asked + now()) / 2));
    }
    if (portal.razorpayApiUrl !== undefined) {
      const date = await ask(portal.razorpayApiUrl).then(
        ({ headers }) => new Date(headers.get('date') ?? ''),
        (error: unknown) => reasonOf(error),
      );
      if (date instanceof Date && !Number.isNaN(date.getTime())) findings.push(skewOf('Razorpay', date, now()));
    }
    return findings.length === 0 ? [unchecked('There is no other clock to compare with.')] : findings;
  },
};

function skewOf(whose: string, at: Date, now: number): Finding {
  const skewMs = now - at.getTime();
  if (Math.abs(skewMs) <= noticedMs) return fine(`This machine agrees with ${whose}.`);
  return (Math.abs(skewMs) > harmfulMs ? fault : warning)(
    `This machine is ${(Math.abs(skewMs) / 1000).toFixed(0)} s ${skewMs < 0 ? 'behind' : 'ahead of'} ${whose}.`,
    'Sign-ins may be refused, and plans, documents and keys start and end at the wrong time.',
    'Set the clock of both by NTP: timedatectl set-ntp true. If one was a day ahead, read “The clock is wrong” in docs/operating/incidents.md.',
  );
}

export const billingDay: Check = {
  name: 'billing-day',
  about: 'the day up to which the product has billed: not ahead of today, and not moved',
  examine: async ({ db, isProduction, now }) => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const row = await db.selectFrom('clock').selectAll().executeTakeFirst();
    if (row === undefined) return [fine('Nothing was billed yet.')];
    const today = dayOf(now() + row.offset_ms);
    if (isProduction && row.offset_ms !== 0)
      return [
        fault(
          'The time of the product was moved, which only a trial with stand-ins may do.',
          'Plans and documents get dates that are not today’s.',
          'Start with an empty database: the dates of a trial are in its documents for good.',
        ),
      ];
    if (row.reached_day !== null && row.reached_day > today)
      return [
        fault(
          `The product has reached ${row.reached_day}, and today is ${today}: the clock was ahead.`,
          'Billing stands still until that day.',
          'Correct the clock, stop the portals, run “update clock set reached_day = null”, and start them.',
        ),
      ];
    return [fine(`The product is on ${today}.`)];
  },
};
