import type { Db } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { selectUnprinted } from '#server/features/documents/documents.ts';
import { selectUnsentMails } from '#server/features/mail/mail.ts';
import { selectHeldCycles } from '#server/features/payments/payments.ts';
import { listErasureRequests } from '#server/features/privacy/privacy.ts';
import { listThreads } from '#server/features/support/support.ts';
import { unrenewedPlans } from '#server/features/timed-events/timed-events.ts';
import { selectFailingWebhooks } from '#server/features/webhooks/webhooks.ts';
import type { Reads } from './found.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** After a week the customer has paid in another way, or does not want to. */
const failedPaymentMs = 7 * dayMs;

/** Webhooks that were switched off longer ago have been told of often enough. */
const disabledWebhookMs = 30 * dayMs;

/** What waits about single customers. */
export const customerReads: Reads<
  | 'APPROVAL'
  | 'SUPPORT_THREAD'
  | 'UNPRINTED_DOCUMENT'
  | 'ERASURE_REQUEST'
  | 'FAILED_MAIL'
  | 'FAILED_WEBHOOK'
  | 'FAILED_PAYMENT'
  | 'UNPAID_PLAN'
  | 'ENDING_PLAN'
> = {
  APPROVAL: async (db) => {
    const rows = await db
      .selectFrom('approvals')
      .innerJoin('operators', 'operators.id', 'approvals.requested_by')
      .select(['approvals.id', 'call', 'customer_id', 'amount_paise', 'reason', 'requested_at', 'operators.email'])
      .where('state', '=', 'WAITING')
      .orderBy('requested_at')
      .execute();
    return rows.map(({ id, customer_id: customerId, amount_paise: paise, requested_at, ...row }) => ({
      id,
      customerId,
      since: requested_at.toISOString(),
      due: null,
      about: `${row.email} asks for a second person: ${row.call} of ${formatRupees(paise)}, ${row.reason}`,
      command: 'operators approvals',
    }));
  },
  SUPPORT_THREAD: async (db, _nowMs, limit) => {
    const threads = await listThreads(db, { status: 'OPEN', limit });
    return threads.map(({ id, customerId, customerName, subject, changedAt }) => ({
      id,
      customerId,
      due: null,
      since: changedAt,
      about: `${customerName}: ${subject}`,
      command: `support show ${id}`,
    }));
  },
  UNPRINTED_DOCUMENT: async (db, nowMs, limit) =>
    (
      await selectUnprinted(db, nowMs)
        .innerJoin('customers', 'customers.id', 'documents.customer_id')
        .select(['documents.number', 'documents.issued_at', 'documents.customer_id', 'customers.name'])
        .limit(limit)
        .execute()
    ).map(({ number, customer_id: customerId, name, issued_at: issuedAt }) => ({
      id: number,
      customerId,
      since: issuedAt.toISOString(),
      due: null,
      about: `to ${name} has no PDF`,
      command: `documents print ${number}`,
    })),
  ERASURE_REQUEST: async (db) =>
    (await listErasureRequests(db)).map(({ customerId, name, askedAt }) => ({
      id: customerId,
      customerId,
      since: askedAt.toISOString(),
      due: null,
      about: `${name} asks to be erased`,
      command: `customers erase ${customerId} --dry-run`,
    })),
  FAILED_MAIL: async (db, nowMs, limit) =>
    (
      await selectUnsentMails(db, nowMs)
        .select(['id', 'customer_id', 'recipient', 'subject', 'created_at', 'fault'])
        .where('fault', 'is not', null)
        // A server that refuses a stranger's first attempt takes the next one.
        .where('created_at', '<', new Date(nowMs - hourMs))
        .orderBy('created_at')
        .limit(limit)
        .execute()
    ).map(({ id, customer_id: customerId, recipient, subject, created_at: createdAt, fault }) => ({
      id,
      customerId,
      since: createdAt.toISOString(),
      due: null,
      about: `“${subject}” to ${recipient} could not be sent: ${fault ?? ''}`,
      command: `customers resend ${id}`,
    })),
  FAILED_WEBHOOK: async (db, nowMs, limit) =>
    (
      await selectFailingWebhooks(db, nowMs)
        .innerJoin('customers', 'customers.id', 'webhooks.customer_id')
        .select(['webhooks.id', 'webhooks.customer_id', 'customers.name', 'webhooks.failing_since'])
        .select('webhooks.disabled_at')
        .where((of) =>
          of.or([of('disabled_at', 'is', null), of('disabled_at', '>', new Date(nowMs - disabledWebhookMs))]),
        )
        .where('failing_since', 'is not', null)
        .orderBy('failing_since')
        .limit(limit)
        .execute()
    ).map(({ id, customer_id: customerId, name, failing_since: since, disabled_at: disabledAt }) => ({
      id,
      customerId,
      since: since?.toISOString() ?? null,
      due: null,
      about: `${name}: deliveries fail${disabledAt === null ? '' : ', and the webhook was switched off'}`,
      command: `customers webhooks ${customerId}`,
    })),
  FAILED_PAYMENT: async (db, nowMs, limit) =>
    (
      await failedPayments(db, nowMs)
        .select(['payments.provider_payment_id', 'payments.customer_id', 'payments.amount_paise', 'customers.name'])
        .select(['payments.created_at', 'payments.error_description', 'cycles.plan'])
        .orderBy('payments.created_at', 'desc')
        .limit(limit)
        .execute()
    ).map(({ provider_payment_id: id, customer_id: customerId, name, plan, ...row }) => ({
      id,
      customerId,
      since: row.created_at.toISOString(),
      due: null,
      about: `${name}: ${formatRupees(row.amount_paise)} for ${plan.name} failed${row.error_description === null ? '' : `: ${row.error_description}`}`,
      command: `payments show ${id}`,
    })),
  UNPAID_PLAN: async (db, nowMs, limit) => {
    const today = dayOf(nowMs);
    const rows = await db
      .selectFrom('cycles')
      .innerJoin('customers', 'customers.id', 'cycles.customer_id')
      .select(['cycles.id', 'cycles.customer_id', 'customers.name', 'cycles.plan', 'cycles.price_paise'])
      .select(['cycles.from_date', 'cycles.to_date'])
      .where('cycles.status', '=', 'PAYMENT_PENDING')
      .where('cycles.adds_to', 'is', null)
      .where('cycles.from_date', '<=', today)
      .where('cycles.to_date', '>', today)
      // What was chosen today may be paid in a minute.
      .where(condition`(cycles.created_at at time zone 'Asia/Kolkata')::date < ${today}`)
      // Its money is here, and waits as such.
      .where('cycles.id', 'not in', selectHeldCycles(db))
      .orderBy('cycles.from_date', 'desc')
      .orderBy('cycles.id')
      .limit(limit)
      .execute();
    return rows.map(({ customer_id: customerId, name, plan, ...row }) => ({
      id: row.id,
      customerId,
      since: row.from_date,
      due: row.to_date,
      about: `${name}: ${plan.name} was to begin, and ${formatRupees(row.price_paise)} are not paid`,
      command: `customers plans ${customerId}`,
    }));
  },
  ENDING_PLAN: async (db, nowMs, limit) => {
    const today = dayOf(nowMs);
    const rows = await unrenewedPlans(db, today)
      .innerJoin('customers', 'customers.id', 'cycles.customer_id')
      .leftJoin('mandates', (join) =>
        join
          .onRef('mandates.activation_id', '=', 'cycles.activation_id')
          .onRef('mandates.withheld_for', '=', 'cycles.to_date')
          .on('mandates.state', 'in', ['IN_FORCE', 'PAUSED']),
      )
      .select(['cycles.id', 'cycles.customer_id', 'customers.name', 'cycles.plan', 'cycles.to_date'])
      .select('mandates.withheld_reason as withheld')
      .orderBy('cycles.to_date')
      .orderBy('cycles.id')
      .limit(limit)
      .execute();
    return rows.map(({ id, customer_id: customerId, name, plan, to_date: toDate, withheld }) => ({
      id,
      customerId,
      since: null,
      due: addDays(toDate, -1),
      about: `${name}: ${plan.name} ends, and no plan follows${withheld === null ? '' : `: its renewal is withheld (${withheld})`}`,
      command: `customers plans ${customerId}`,
    }));
  },
};

/** The last payment of each plan that failed, while the plan can still be paid and no other payment is under way. */
function failedPayments(db: Db, nowMs: number) {
  return db
    .selectFrom('payments')
    .innerJoin('cycles', 'cycles.id', 'payments.cycle_id')
    .innerJoin('customers', 'customers.id', 'payments.customer_id')
    .where('payments.status', '=', 'failed')
    .where('payments.created_at', '>', new Date(nowMs - failedPaymentMs))
    .where('cycles.status', '=', 'PAYMENT_PENDING')
    .where('cycles.to_date', '>', dayOf(nowMs))
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('payments as later')
            .select('later.provider_payment_id')
            .whereRef('later.cycle_id', '=', 'payments.cycle_id')
            .where((row) =>
              row.or([
                row('later.status', 'in', ['created', 'authorized', 'captured']),
                row(
                  row.refTuple('later.created_at', 'later.provider_payment_id'),
                  '>',
                  row.refTuple('payments.created_at', 'payments.provider_payment_id'),
                ),
              ]),
            ),
        ),
      ),
    );
}
