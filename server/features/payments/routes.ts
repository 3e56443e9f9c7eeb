import type { FastifyInstance } from 'fastify';
import {
  declareTransferTds as declareTransferTdsCall,
  payByTransfer as payByTransferCall,
} from '#shared/contract/bank-transfers.ts';
import { payLater as payLaterCall } from '#shared/contract/credit.ts';
import {
  createOrder as createOrderCall,
  createOrderOfPeriods as createOrderOfPeriodsCall,
  listDisputes as listDisputesCall,
  verifyPayment as verifyPaymentCall,
} from '#shared/contract/payments.ts';
import { handle } from '#server/http/handle.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { createOrder, createOrderOfPeriods } from './create-order.ts';
import { listDisputes } from './list-disputes.ts';
import { sellOnTerms } from './sell-on-terms.ts';
import { declareTransferTds, payByTransfer } from './transfers.ts';
import { verifyPayment } from './verify.ts';
import { isSigned, storeDelivery } from './webhook.ts';

/** Limit for the body of a webhook; the provider's are much smaller. */
const webhookBodyLimit = 256 * 1024;

export function paymentsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, createOrderCall, ({ owner, params }) => createOrder(portal, owner, params.id), {
    perMinute: 30,
  });

  handle(
    app,
    portal,
    createOrderOfPeriodsCall,
    ({ owner, params, body: { billingCycleIds: cycleIds, purchaseOrder, renewal } }) =>
      createOrderOfPeriods(portal, owner, params.activationId, { cycleIds, purchaseOrder, renewal }),
    { perMinute: 30 },
  );

  handle(
    app,
    portal,
    payByTransferCall,
    ({ owner, params, body }) => payByTransfer(portal, owner, params.activationId, body.billingCycleIds),
    { perMinute: 30 },
  );

  handle(app, portal, declareTransferTdsCall, ({ owner, body }) => declareTransferTds(portal, owner, body.declared), {
    perMinute: 30,
  });

  handle(
    app,
    portal,
    payLaterCall,
    ({ owner, params, body: { billingCycleId: cycleId, purchaseOrder } }) =>
      sellOnTerms(portal, owner, params.activationId, { cycleId, purchaseOrder }),
    { perMinute: 30 },
  );

  handle(app, portal, listDisputesCall, async ({ owner }) => ({ disputes: await listDisputes(owner, portal.db) }));

  handle(app, portal, verifyPaymentCall, ({ owner, body }) => verifyPayment(portal, owner, body));

  // The signature covers the raw bytes, so only this route receives its body unparsed.
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: webhookBodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    raw.post('/webhooks/razorpay', { schema: { hide: true }, bodyLimit: webhookBodyLimit }, async (request) => {
      const signature = request.headers['x-razorpay-signature'];
      const { body } = request;
      const signed =
        Buffer.isBuffer(body) &&
        typeof signature === 'string' &&
        isSigned(portal.settings.razorpayWebhookSecret, body, signature);
      if (!signed) throw refuse('unauthorized');
      await storeDelivery(portal, body);
      return { status: 'success' };
    });
  });
}
