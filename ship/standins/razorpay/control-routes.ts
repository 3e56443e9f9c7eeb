import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  submitBankPage,
  submitOtp,
  checkoutResponse,
  refuseFailed,
  startAttempt,
} from '#ship/standins/razorpay/attempt.ts';
import { behaviourSchema, outcomeSchema } from '#ship/standins/razorpay/behaviour.ts';
import { payerOf, readMethodFields } from '#ship/standins/razorpay/checkout-routes.ts';
import { moveDispute, openDispute } from '#ship/standins/razorpay/disputes.ts';
import { disputeSchema, paymentMethodSchema } from '#ship/standins/razorpay/entities.ts';
import { badRequest } from '#ship/standins/razorpay/errors.ts';
import { failureReasonSchema } from '#ship/standins/razorpay/failures.ts';
import { findOrder, findPayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { authorizePayment, capturePayment, failPayment } from '#ship/standins/razorpay/payments.ts';
import { runDue } from '#ship/standins/razorpay/run-due.ts';
import { createRefund, readRefundInput, settleRefund } from '#ship/standins/razorpay/refunds.ts';
import { testBanks, testCards, testVpas } from '#ship/standins/razorpay/instruments.ts';
import { answerInApp, answerRequest, findRequest, startInApp, waitingRequests } from '#ship/standins/razorpay/upi.ts';

type ById = { Params: { id: string } };

const paySchema = z.strictObject({
  order_id: z.string(),
  method: paymentMethodSchema.default('card'),
  card: z.strictObject({ number: z.string(), name: z.string().optional() }).default({ number: '4100 2800 0000 1007' }),
  bank: z.string().default('HDFC'),
  otp: z.string().default('1234'),
  outcome: z.union([outcomeSchema, z.literal('failed')]).optional(),
  email: z.string().optional(),
  contact: z.string().optional(),
  /** As with the checkout's `recurring: 1`. */
  customer_id: z.string().optional(),
});
const replaySchema = z.strictObject({
  payment_id: z.string().optional(),
  event: z.string().optional(),
  times: z.int().min(1).max(100).default(1),
  newEventIds: z.boolean().default(false),
});
const clockSchema = z.union([
  // Backwards too, so that the past can be simulated.
  z.strictObject({ advanceMs: z.int() }),
  z.strictObject({ reset: z.literal(true) }),
]);
const failSchema = z.strictObject({ reason: failureReasonSchema.default('payment_failed') });
const disputeInput = z.strictObject({
  amount: z.int().min(1).optional(),
  phase: disputeSchema.shape.phase.default('chargeback'),
});
const refundQuery = z.strictObject({ amount: z.coerce.number().int().optional() });
const disputeMove = z.strictObject({
  id: z.string(),
  status: z.enum(['under_review', 'action_required', 'won', 'lost', 'closed']),
});
const approveSchema = z.strictObject({ pin: z.string().default('1234') });
const authorizeSchema = z.strictObject({ capture: z.boolean().default(true) });

function read<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const parsed = schema.safeParse(body ?? {});
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error));
  return parsed.data;
}

/** Controls for scripts, tests and the page at `/`. */
export function addControlRoutes(app: FastifyInstance, parts: RazorpayParts): void {
  const { ledger } = parts;

  app.get('/standin/about', () => ({
    keyId: parts.keyId,
    webhookUrl: parts.webhookUrl,
    cards: testCards,
    vpas: testVpas,
    banks: testBanks,
    outcomes: outcomeSchema.options.flatMap((option) => option.options),
    payments: [...ledger.state.payments.values()].slice(-10).map(({ payment }) => payment),
    refunds: [...ledger.state.refunds.values()].slice(-10),
    disputes: [...ledger.state.disputes.values()].slice(-10),
  }));

  app.get('/standin/behaviour', () => ledger.state.behaviour);
  app.put('/standin/behaviour', (request) => {
    ledger.save({ kind: 'behaviour', value: read(behaviourSchema, request.body) });
    return ledger.state.behaviour;
  });

  app.post('/standin/pay', (request, reply) => {
    const { outcome, otp, order_id: orderId, customer_id: customerId, ...body } = read(paySchema, request.body);
    const forced = outcome === 'failed' ? 'payment_failed' : outcome;
    const { order } = findOrder(parts, orderId);
    const started =
      body.method === 'upi'
        ? startInApp(parts, order, { payer: payerOf(body), payee: 'Stand-in', customerId })
        : startAttempt(parts, order, readMethodFields(body), payerOf(body), { forced, customerId });
    const { id } = started.payment;
    if (started.awaiting === 'otp') submitOtp(parts, id, otp);
    if (started.awaiting === 'bank-page') submitBankPage(parts, id, true);
    // A pending one waits for the phone.
    if (started.awaiting === 'app' && forced !== 'pending') answerInApp(parts, id, forced);

    const record = findPayment(parts, id);
    refuseFailed(record);
    const response = checkoutResponse(parts, record);
    return (
      response ??
      reply.code(202).send({ razorpay_payment_id: id, razorpay_order_id: orderId, status: record.payment.status })
    );
  });

  app.get('/standin/upi', () => ({ requests: waitingRequests(parts) }));
  app.get<ById>('/standin/upi/:id', (request) => findRequest(parts, request.params.id));
  app.post<ById>('/standin/upi/:id/approve', (request) => {
    const { pin } = read(approveSchema, request.body);
    return answerRequest(parts, request.params.id, pin).payment;
  });
  app.post<ById>('/standin/upi/:id/decline', (request) => answerRequest(parts, request.params.id, null).payment);

  app.post<ById>('/standin/payments/:id/authorize', (request) => {
    const { capture } = read(authorizeSchema, request.body);
    return authorizePayment(parts, request.params.id, capture).payment;
  });
  app.post<ById>('/standin/payments/:id/capture', (request) => capturePayment(parts, request.params.id).payment);
  app.post<ById>('/standin/payments/:id/fail', (request) => {
    const { reason } = read(failSchema, request.body);
    return failPayment(parts, request.params.id, reason).payment;
  });
  // As on the provider's dashboard, unknown to the product.
  app.post<ById>('/standin/payments/:id/refund', (request) => {
    const record = findPayment(parts, request.params.id);
    const { amount } = read(refundQuery, request.query);
    const input = readRefundInput(amount === undefined ? request.body : { amount }, record.payment, parts.now());
    return createRefund(parts, record, input, ledger.state.behaviour.refunds);
  });
  app.post<ById>('/standin/payments/:id/dispute', (request) => {
    return openDispute(parts, request.params.id, read(disputeInput, request.body));
  });
  app.post<ById>('/standin/disputes/:id/:status', (request) => {
    const { id, status } = read(disputeMove, request.params);
    return moveDispute(parts, id, status);
  });
  app.post<ById>('/standin/refunds/:id/process', (request) => settleRefund(parts, request.params.id, 'processed'));
  app.post<ById>('/standin/refunds/:id/fail', (request) => settleRefund(parts, request.params.id, 'failed'));

  app.get('/standin/webhooks', () =>
    [...ledger.state.deliveries.values()].map(({ body: _body, signature: _signature, ...shown }) => shown).toReversed(),
  );
  app.post('/standin/webhooks/replay', (request) => {
    const { payment_id: paymentId, event, times, newEventIds } = read(replaySchema, request.body);
    return { deliveries: parts.webhooks.replay({ paymentId, event }, times, newEventIds) };
  });

  app.get('/standin/clock', () => ({
    offsetMs: ledger.state.clockOffsetMs,
    now: new Date(parts.now()).toISOString(),
  }));
  app.post('/standin/clock', (request) => {
    const move = read(clockSchema, request.body);
    const offsetMs = 'reset' in move ? 0 : ledger.state.clockOffsetMs + move.advanceMs;
    ledger.save({ kind: 'clock', value: { offsetMs } });
    runDue(parts);
    return { offsetMs, now: new Date(parts.now()).toISOString() };
  });
}
