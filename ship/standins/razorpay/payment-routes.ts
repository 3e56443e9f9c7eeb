import type { FastifyInstance } from 'fastify';
import { createDebit } from '#ship/standins/razorpay/debits.ts';
import { findDispute } from '#ship/standins/razorpay/disputes.ts';
import { collection } from '#ship/standins/razorpay/entities.ts';
import { badRequest, serverError, unknownId } from '#ship/standins/razorpay/errors.ts';
import { hang, perform } from '#ship/standins/razorpay/perform.ts';
import { readAmount, readCurrency, readFields } from '#ship/standins/razorpay/input.ts';
import { findPayment } from '#ship/standins/razorpay/lookup.ts';
import { expansions, page } from '#ship/standins/razorpay/paging.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { capturePayment } from '#ship/standins/razorpay/payments.ts';
import { runDue } from '#ship/standins/razorpay/run-due.ts';
import { findTransfer } from '#ship/standins/razorpay/virtual-accounts.ts';
import { createRefund, findByRefundKey, findRefund, readRefundInput } from '#ship/standins/razorpay/refunds.ts';

type ById = { Params: { id: string } };

/** `/v1/payments`, `/v1/refunds` and `/v1/disputes`. */
export function addPaymentRoutes(api: FastifyInstance, parts: RazorpayParts): void {
  const { ledger } = parts;
  const runningRefundKeys = new Set<string>();
  const refundsOf = (paymentId: string) =>
    [...ledger.state.refunds.values()].filter((refund) => refund.payment_id === paymentId);

  api.get('/payments', (request) =>
    collection(
      page(
        [...ledger.state.payments.values()].map(({ payment }) => payment),
        request.query,
      ),
    ),
  );

  api.get<ById>('/payments/:id', (request) => {
    const { payment, card } = findPayment(parts, request.params.id);
    return card !== null && expansions(request.query).includes('card') ? { ...payment, card } : payment;
  });

  api.post('/payments/create/recurring', (request) =>
    perform(request, parts.closing, ledger.state.behaviour.recurringCreate, () => {
      const { id } = createDebit(parts, request.body).payment;
      runDue(parts);
      return { razorpay_payment_id: id };
    }),
  );

  api.post<ById>('/payments/:id/capture', (request) => {
    const { payment } = findPayment(parts, request.params.id);
    const fields = readFields(request.body, ['amount', 'currency']);
    const amount = readAmount(fields['amount']);
    const currency = readCurrency(fields['currency']);
    if (payment.status === 'authorized' && (amount !== payment.amount || currency !== payment.currency)) {
      throw badRequest('Capture amount must be equal to the amount authorized.', 'amount');
    }
    return capturePayment(parts, payment.id).payment;
  });

  api.get<ById>('/payments/:id/bank_transfer', (request) => findTransfer(parts, request.params.id));

  api.post<ById>('/payments/:id/refund', (request) => {
    const record = findPayment(parts, request.params.id);
    const mode = ledger.state.behaviour.refunds;
    if (mode === 'fail-500') throw serverError();
    const header = request.headers['x-refund-idempotency'];
    const key = typeof header === 'string' ? header : null;
    const fingerprint = JSON.stringify([record.payment.id, request.body ?? {}]);
    const earlier = key === null ? null : findByRefundKey(parts, key, fingerprint, runningRefundKeys);
    if (earlier) return earlier;

    const refund = createRefund(parts, record, readRefundInput(request.body, record.payment, parts.now()), mode);
    if (key !== null) ledger.save({ kind: 'refund-key', value: { key, request: fingerprint, refundId: refund.id } });
    if (mode !== 'timeout-after-create') return refund;
    if (key !== null) runningRefundKeys.add(key);
    return hang(request, parts.closing).finally(() => runningRefundKeys.delete(key ?? ''));
  });

  api.get<ById>('/payments/:id/refunds', (request) =>
    collection(page(refundsOf(findPayment(parts, request.params.id).payment.id), request.query)),
  );

  api.get<{ Params: { id: string; refundId: string } }>('/payments/:id/refunds/:refundId', (request) => {
    const refund = findRefund(parts, request.params.refundId);
    if (refund.payment_id !== request.params.id) throw unknownId();
    return refund;
  });

  api.get('/refunds', (request) => collection(page(ledger.state.refunds.values(), request.query)));

  api.get('/disputes', (request) => collection(page(ledger.state.disputes.values(), request.query)));

  api.get<ById>('/disputes/:id', (request) => findDispute(parts, request.params.id));

  api.get<ById>('/refunds/:id', (request) => findRefund(parts, request.params.id));
}
