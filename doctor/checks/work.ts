import { sql } from 'kysely';
import { z } from 'zod';
import { countRows } from '#shared/database/expressions.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import { dayOf } from '#shared/domain/day.ts';
import { dpdpRulesFrom, isRequestLate } from '#shared/domain/erasure.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { whyUnpaid } from '#shared/domain/why-unpaid.ts';
import { envName } from '#shared/platform/read-config.ts';
import { defaultRetention, retentionKinds } from '#server/retention/retention-settings.ts';
import { readLedgerHealth } from '#server/features/ledger/ledger.ts';
import { listUnpaidRefunds, type UnpaidRefund } from '#server/features/refunds/refunds.ts';
import { listErasureRequests } from '#server/features/privacy/operator-erasure.ts';

const unread = [unchecked('The database cannot be read.')];

export const ledger: Check = {
  name: 'ledger',
  about: 'the checks of the ledger: their result and their age',
  examine: async ({ db, now }) => {
    if (db === undefined) return unread;
    const health = await readLedgerHealth({ db, machineClock: now, startedAt: 0 });
    if (health.ok) return [fine(`Correct at ${health.checkedAt ?? ''}.`)];
    if (health.holds === false)
      return [
        fault(
          'THE LEDGER IS WRONG: a check found faults.',
          'A record of money was changed, or the program has a fault.',
          'Stop the portals, keep a backup of the database as it is, and run: octroi verify-ledger. It names every fault.',
        ),
      ];
    const check = await db.selectFrom('ledger_checks').select(['failure', 'whole_failure']).executeTakeFirst();
    const failure = check?.failure ?? check?.whole_failure;
    if (failure != null)
      return [
        fault(
          `The last check of the ledger failed: ${failure}.`,
          'A wrong record of money would not be noticed.',
          'Most often the database was overloaded: see its load, then wait for the next check, within the hour.',
        ),
      ];
    return [
      fault(
        `The ledger was last checked at ${health.checkedAt ?? 'no time'}, and as a whole at ${health.wholeCheckedAt ?? 'no time'}.`,
        'A wrong record of money would not be noticed. Other work of the portal probably stands still too.',
        'Start a portal: it checks what is new each minute, and everything each night. On a new installation, wait a few minutes.',
      ),
    ];
  },
};

export const unsettledPayments: Check = {
  name: 'unsettled-payments',
  about: 'captured payments that are neither a plan nor a refund yet',
  examine: async ({ db }): Promise<Finding[]> => {
    if (db === undefined) return unread;
    const found = await db
      .selectFrom('unsettled_payments')
      .select(['payment_id', 'since', 'fault'])
      .orderBy('since')
      .execute();
    if (found.length === 0) return [fine('Every captured payment is settled.')];
    return found.map(({ payment_id: id, since, fault: why }) =>
      fault(
        `The payment ${id} is not settled since ${since.toISOString()}: ${why}.`,
        'A customer has paid and has neither a plan nor a refund.',
        `Mend the cause; the portal tries again by itself. If you can’t, refund ${id} on Razorpay’s dashboard: the portal books it.`,
      ),
    );
  },
};

export const unpaidRefunds: Check = {
  name: 'unpaid-refunds',
  about:
    'refunds that wait for a bank transfer, that Razorpay refuses, that a bank returned, or that are not paid after a week',
  examine: async ({ db, now }): Promise<Finding[]> => {
    if (db === undefined) return unread;
    const found = await listUnpaidRefunds(db, now());
    if (found.length === 0)
      return [fine('No refund waits for a bank transfer, is refused by Razorpay, was returned by a bank, or is late.')];
    return found.map(unpaidFinding);
  },
};

function unpaidFinding({ id, amountPaise, startedAt, waitsForDispute, paymentId, ...why }: UnpaidRefund): Finding {
  const refund = `${id} over ${formatRupees(amountPaise)}`;
  if (waitsForDispute)
    return fine(`The refund ${refund} waits until the dispute of ${paymentId} is decided: pay nothing before.`);
  if (why.payout === 'TRANSFER')
    return warning(
      `The refund ${refund} waits for your bank transfer since ${startedAt.toISOString()}.`,
      'Razorpay can’t pay it, and the customer waits for the money.',
      `Transfer it to the account that the customer names to support, then: octroi refunds transferred ${id}`,
    );
  const unpaid = `Razorpay has not paid the refund ${refund}, started at ${startedAt.toISOString()}: ${whyUnpaid(why)}`;
  if (why.isLate)
    return warning(
      unpaid,
      'The customer waits for the money; the portal asks Razorpay every hour.',
      `Ask Razorpay’s support about the refund of ${paymentId}. Pay nothing yourself: Razorpay may pay it still.`,
    );
  return warning(
    unpaid,
    'The customer waits for the money; the portal requests it again every hour.',
    `If it is the balance, add some on Razorpay’s dashboard. Otherwise, or if a bank keeps returning it, pay it yourself: octroi refunds by-transfer ${id}`,
  );
}

export const erasureRequests: Check = {
  name: 'erasure-requests',
  about: 'customers who ask to be erased, and for how long',
  examine: async ({ db, now }): Promise<Finding[]> => {
    if (db === undefined) return unread;
    const requests = await listErasureRequests(db);
    if (requests.length === 0) return [fine('No customer asks to be erased.')];
    const today = dayOf(now());
    const late = requests.filter(({ askedAt }) => isRequestLate(dayOf(askedAt.getTime()), today));
    if (late.length === 0) return [fine(`${requests.length} customers ask to be erased: octroi customers requests`)];
    return late.map(({ customerId, askedAt }) =>
      warning(
        `${customerId} asks to be erased since ${askedAt.toISOString()}.`,
        'The DPDP Rules 2025, rule 14(3), give 90 days to deal with a grievance.',
        `See what it would erase, and carry it out: octroi customers erase ${customerId} --reason "Asked by the customer"`,
      ),
    );
  },
};

/** DPDP Rules 2025, rule 8(3). */
const leastDays = 365;

export const retention: Check = {
  name: 'retention',
  about: 'how long data is kept, against the year that the DPDP Rules want from 13 May 2027 on',
  examine: ({ portal, now }) => {
    const periods = retentionKinds.map((kind): [name: string, days: number] => [
      envName(kind),
      portal[kind] ?? defaultRetention[kind],
    ]);
    const short = periods.flatMap(([name, days]) => (days < leastDays ? [`${name}: ${days} days`] : []));
    if (short.length === 0 || dayOf(now()) < dpdpRulesFrom)
      return [fine(`Kept for less than a year: ${short.length === 0 ? 'nothing' : short.join(', ')}.`)];
    return [
      warning(
        `Kept for less than a year: ${short.join(', ')}.`,
        'The DPDP Rules 2025, rule 8(3), want personal data, traffic data and logs kept for at least a year from their processing.',
        'Ask your lawyer, and set what you must to 365 or more; docs/operating/limits.md says how much room a year takes.',
      ),
    ];
  },
};

const lateMinutes = 15;

export const jobs: Check = {
  name: 'jobs',
  about: 'background work that is late or was given up',
  examine: async ({ db }) => {
    if (db === undefined) return unread;
    const there = checkedRows(
      z.object({ there: z.boolean() }),
      await sql`select to_regclass('pgboss.job') is not null as there`.execute(db),
    );
    if (there[0]?.there !== true) return [unchecked('No portal has run yet.')];
    const query = sql`select name,
        (count(*) filter (where state < 'active' and start_after < clock_timestamp() - make_interval(mins => ${lateMinutes}) and retry_count = 0))::int as late,
        (count(*) filter (where state = 'retry' and created_on < clock_timestamp() - interval '1 hour'))::int as retried,
        (count(*) filter (where state = 'failed' and completed_on > clock_timestamp() - interval '7 days'
          -- One that is repeated by time is made up for by the next that succeeds.
          and (retry_limit > 0 or completed_on > (select coalesce(max(d.completed_on), '-infinity') from pgboss.job d where d.name = j.name and d.state = 'completed'))))::int as failed
      from pgboss.job j where name not like '\\_\\_%' group by name order by name`;
    const row = z.object({ name: z.string(), late: z.number(), retried: z.number(), failed: z.number() });
    const found = checkedRows(row, await query.execute(db)).flatMap(({ name, late, retried, failed }): Finding[] => [
      ...(late > 0
        ? [
            fault(
              `${late} jobs of the kind ${name} are late by more than ${lateMinutes} minutes.`,
              'No portal works on them: documents, mails and refunds wait.',
              'Start a portal; if one runs, look at its processor and its log.',
            ),
          ]
        : []),
      ...(retried > 0
        ? [
            warning(
              `${retried} jobs of the kind ${name} fail again and again for more than an hour.`,
              'What they should do, such as a document’s PDF or its mail, has not happened.',
              'Look at “a job failed” in the portal’s log for the reason; each is tried again by itself.',
            ),
          ]
        : []),
      ...(failed > 0
        ? [
            warning(
              `${failed} jobs of the kind ${name} were given up in the last seven days.`,
              'What they should have done did not happen.',
              'Look at “a job failed” in the portal’s log for the reason.',
            ),
          ]
        : []),
    ]);
    return found.length > 0 ? found : [fine('No job is late.')];
  },
};

export const deliveries: Check = {
  name: 'deliveries',
  about: 'webhooks of Razorpay that could not be handled',
  examine: async ({ db }) => {
    if (db === undefined) return unread;
    const { stuck } = await db
      .selectFrom('webhook_inbox')
      .select(countRows().as('stuck'))
      .where('processed_at', 'is', null)
      .where('tries', '>', 5)
      .executeTakeFirstOrThrow();
    if (stuck === 0) return [fine('Every delivery was handled.')];
    return [
      warning(
        `${stuck} deliveries of Razorpay could not be handled after several attempts.`,
        'Polling finds payments all the same; what was reported may be missing: refunds and disputes.',
        'Look at the column fault of webhook_inbox, and at the portal’s log.',
      ),
    ];
  },
};
