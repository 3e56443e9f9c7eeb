import { z } from 'zod';
import { claimRows } from '#shared/database/claim-rows.ts';
import type { Db } from '#shared/database/connect.ts';
import { sqlState } from '#shared/database/transaction.ts';
import { longestBackoffMs, retryBackoffMs } from '#shared/domain/payment.ts';
import { checkToken } from '#server/features/mandates/mandates.ts';
import { selectRefundsOfPayment } from '#server/features/refunds/refunds.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import { doctorsQuestion } from '#server/razorpay/webhook-events.ts';
import type { Portal } from '#server/portal.ts';
import { recordDispute } from './disputes.ts';
import { bookIfDiffers, bookRefundsOf, workOnRefund } from './money-back.ts';
import { settlePayment } from './settle.ts';
import { parseJson } from '#shared/platform/parse-json.ts';

const id = z.string().regex(/^\w{1,80}$/);
/** Whatever else has an unexpected form counts as absent: a signed delivery is a hint, and the state is read from the provider. */
const entity = z
  .object({
    entity: z.object({
      id,
      status: z
        .string()
        .regex(/^\w{1,40}$/)
        .catch(''),
      payment_id: id.optional().catch(undefined),
      order_id: id.optional().catch(undefined),
      respond_by: z.int().nullish().catch(null),
      evidence: z.object({ submitted_at: z.int().nullish() }).nullish().catch(null),
      amount_refunded: z.int().nullish().catch(null),
    }),
  })
  .optional()
  .catch(undefined);
const eventSchema = z.object({
  event: z.string().regex(/^[\w.]{1,80}$/),
  payload: z.object({ payment: entity, order: entity, refund: entity, dispute: entity, token: entity }).catch({}),
  created_at: z.int().optional().catch(undefined),
});
type Event = z.output<typeof eventSchema>;

/** After this many attempts (two weeks) a delivery that can't be handled stays with its error for people to look at. */
const maxAttempts = 350;

/** Is the body signed with one of the secrets? While the secret is being changed there are two. */
export function isSigned(secrets: string, body: Buffer, signature: string): boolean {
  // Checks every secret, so that the timing does not reveal which one matched.
  return secrets
    .split(',')
    .map((secret) => sameBytes(hmacHex(secret, body), signature))
    .includes(true);
}

const entitiesOf = ({ payload: { payment, order, refund, dispute, token } }: Event) =>
  [payment, order, refund, dispute].concat(token ? [token] : []);

const namesNothing = (event: Event): boolean => entitiesOf(event).every((each) => each === undefined);

/**
 * The content of a delivery that identifies it: the event, and the ids and states it is about, or all of it if there are none. The event id in
 * the header is not signed, and the same event may be formatted differently, so neither can identify duplicates.
 */
function dedupKeyOf(event: Event, body: Buffer): Buffer {
  if (namesNothing(event)) return sha256(body);
  const about = entitiesOf(event).map((each) => [each?.entity.id, each?.entity.status]);
  // More evidence may be asked for and given several times.
  const evidence = event.payload.dispute?.entity;
  const times = evidence ? [evidence.respond_by ?? null, evidence.evidence?.submitted_at ?? null] : [];
  // A mandate may be paused and resumed several times.
  if (event.payload.token) times.push(event.created_at ?? null);
  return sha256(JSON.stringify([event.event, about, ...times]));
}

/**
 * Stores a signed delivery until it has been handled; a second one with the same content changes nothing. Nothing that Razorpay has signed is
 * refused, as it switches a webhook off after a day of failures: what can't be read is logged, and polling finds what it was about.
 */
export async function storeDelivery(portal: Portal, body: Buffer): Promise<void> {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  if (text === doctorsQuestion) return;
  const parsed = eventSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    portal.log.warn({ bytes: body.length }, 'a signed webhook of Razorpay names no event');
    return;
  }
  const now = new Date(portal.machineClock());
  const store = (stored: string) =>
    portal.db
      .insertInto('webhook_inbox')
      .values({
        dedup_key: dedupKeyOf(parsed.data, body),
        event: parsed.data.event,
        body: stored,
        received_at: now,
        next_try_at: now,
        processed_at: null,
        fault: null,
      })
      .onConflict((conflict) => conflict.column('dedup_key').doNothing())
      .execute();
  // PostgreSQL takes less than JSON allows: no NUL, no broken pairs, no huge numbers or depth.
  await store(isAboutPayer(parsed.data) ? JSON.stringify(parsed.data) : text).catch((error: unknown) => {
    if (!/^(22|54)/.test(sqlState(error) ?? '')) throw error;
    return store(JSON.stringify(parsed.data));
  });
}

/** A message about a bank transfer names the payer's account, which nobody here needs: only what is acted on is kept. */
const isAboutPayer = ({ event, payload: { payment } }: Event): boolean =>
  event.startsWith('virtual_account.') || (payment !== undefined && payment.entity.order_id === undefined);

/** Claims the deliveries that are due; the next attempt is scheduled before each is handled. */
export function claimDueDeliveries(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    { limit, nowMs, longestWaitMs: longestBackoffMs },
    (tx, isDue) =>
      tx.selectFrom('webhook_inbox').select(['dedup_key', 'tries']).where(isDue('next_try_at')).orderBy('next_try_at'),
    async (tx, { dedup_key: key, tries }) => {
      const next = tries >= maxAttempts ? null : new Date(nowMs + retryBackoffMs(tries));
      await tx
        .updateTable('webhook_inbox')
        .set({ tries: tries + 1, next_try_at: next })
        .where('dedup_key', '=', key)
        .execute();
      return key.toString('hex');
    },
  );
}

/** Handles a stored delivery. Its content is only a hint: the state is read from the provider. */
export async function settleDelivery(portal: Portal, deliveryKey: string): Promise<void> {
  const key = Buffer.from(deliveryKey, 'hex');
  const row = await portal.db
    .selectFrom('webhook_inbox')
    .select('body')
    .where('dedup_key', '=', key)
    .executeTakeFirst();
  const event = eventSchema.safeParse(row?.body);
  if (!event.success) return;
  try {
    await actOn(portal, event.data);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    await portal.db.updateTable('webhook_inbox').set({ fault }).where('dedup_key', '=', key).execute();
    throw error;
  }
  const isUnread = namesNothing(event.data) && /^(payment|refund|order)\b/.test(event.data.event);
  if (isUnread)
    portal.log.warn({ event: event.data.event }, 'a signed webhook of Razorpay does not say what it is about');
  const fault = isUnread ? 'It does not say what it is about; polling finds it.' : null;
  await portal.db
    .updateTable('webhook_inbox')
    .set({ processed_at: new Date(portal.machineClock()), next_try_at: null, fault })
    .where('dedup_key', '=', key)
    .execute();
}

async function actOn(portal: Portal, { payload: { payment, refund, dispute, token } }: Event): Promise<void> {
  if (token) await checkToken(portal, token.entity.id);
  const paymentId = payment?.entity.id ?? refund?.entity.payment_id;
  if (paymentId !== undefined) await settlePayment(portal, paymentId);
  if (dispute) await recordDispute(portal, dispute.entity.id);
  if (paymentId === undefined) return;
  if (!refund) {
    await bookIfDiffers(portal, paymentId, payment?.entity.amount_refunded ?? 0);
    return;
  }
  // By its payment, as the response with the refund's id may have been lost.
  await bookRefundsOf(portal, paymentId);
  const refunds = await selectRefundsOfPayment(portal.db, paymentId);
  // A refund that a bank returned is retried at its scheduled time.
  const open = refunds.filter(({ status }) => status === 'STARTED' || status === 'PENDING');
  for (const { id } of open) await workOnRefund(portal, id);
}
