import { join } from 'node:path';
import { ZodError, z } from 'zod';
import { serveAssets } from '#ship/standins/assets.ts';
import { createLoopbackApp, listenOnLoopback } from '#ship/standins/loopback.ts';
import { addCheckoutRoutes } from '#ship/standins/razorpay/checkout-routes.ts';
import { addControlRoutes } from '#ship/standins/razorpay/control-routes.ts';
import {
  authenticationFailed,
  badRequest,
  isRefusal,
  serverError,
  unknownUrl,
} from '#ship/standins/razorpay/errors.ts';
import { addCustomerRoutes } from '#ship/standins/razorpay/customer-routes.ts';
import { openLedger } from '#ship/standins/razorpay/ledger.ts';
import { addMandateControls } from '#ship/standins/razorpay/mandate-controls.ts';
import { addOrderRoutes } from '#ship/standins/razorpay/order-routes.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { addPaymentRoutes } from '#ship/standins/razorpay/payment-routes.ts';
import { addProductClockRoutes } from '#ship/standins/razorpay/product-clock.ts';
import { runDue } from '#ship/standins/razorpay/run-due.ts';
import { addSettlementControls } from '#ship/standins/razorpay/settlement-controls.ts';
import { addSettlementRoutes } from '#ship/standins/razorpay/settlement-routes.ts';
import { addVirtualAccountControls, addVirtualAccountRoutes } from '#ship/standins/razorpay/virtual-account-routes.ts';
import { hasKeyPair } from '#ship/standins/razorpay/basic-auth.ts';
import { createWebhookQueue } from '#ship/standins/razorpay/webhook-queue.ts';
import { startWebhookSender } from '#ship/standins/razorpay/webhook-sender.ts';

export type RazorpaySettings = {
  port: number;
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  webhookUrl: string;
  folder: string;
};

/** Starts the stand-in for Razorpay: API, checkout and webhooks. */
export async function startRazorpay(settings: RazorpaySettings, realNow: () => number) {
  const ledger = openLedger(join(settings.folder, 'razorpay.jsonl'));
  const now = () => realNow() + ledger.state.clockOffsetMs;
  const webhooks = createWebhookQueue({ ledger, secret: settings.webhookSecret, now, realNow });
  const closing = new AbortController();
  const { keyId, keySecret, webhookUrl } = settings;
  const parts: RazorpayParts = { keyId, keySecret, webhookUrl, ledger, webhooks, now, closing: closing.signal };

  const app = createLoopbackApp();
  app.setNotFoundHandler(async (_request, reply) => reply.code(400).send({ error: unknownUrl().razorpay }));
  app.setErrorHandler(async (error, _request, reply) => {
    if (error instanceof ZodError) return reply.code(400).send({ error: badRequest(z.prettifyError(error)).razorpay });
    if (isRefusal(error)) return reply.code(error.statusCode).send({ error: error.razorpay });
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    if (typeof status === 'number' && status < 500) {
      return reply.code(status).send({ error: badRequest('The request body is malformed.').razorpay });
    }
    process.stderr.write(`${JSON.stringify({ level: 'error', message: String(error) })}\n`);
    return reply.code(500).send({ error: serverError().razorpay });
  });
  serveAssets(app, {
    '/': 'razorpay-home.html',
    '/razorpay-home.js': 'razorpay-home.js',
    '/play': 'play.html',
    '/play.js': 'play.js',
    '/play-clock.js': 'play-clock.js',
    '/play-mandates.js': 'play-mandates.js',
    '/play-payments.js': 'play-payments.js',
    '/phone': 'phone.html',
    '/checkout/phone.js': 'phone.js',
    '/page.css': 'page.css',
    '/upi.css': 'upi.css',
    '/v1/checkout.js': 'checkout-host.js',
    '/checkout': 'sheet.html',
    '/checkout/sheet.js': 'sheet.js',
    '/checkout/sheet-call.js': 'sheet-call.js',
    '/checkout/sheet-fields.js': 'sheet-fields.js',
    '/checkout/sheet-screens.js': 'sheet-screens.js',
    '/checkout/sheet-upi.js': 'sheet-upi.js',
  });
  addCheckoutRoutes(app, parts);
  addControlRoutes(app, parts);
  addMandateControls(app, parts);
  addSettlementControls(app, parts);
  addVirtualAccountControls(app, parts);
  addProductClockRoutes(app, parts, settings.webhookSecret);
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (request) => {
        if (!hasKeyPair(request.headers.authorization, keyId, keySecret)) throw authenticationFailed();
      });
      addCustomerRoutes(api, parts);
      addOrderRoutes(api, parts);
      addPaymentRoutes(api, parts);
      addSettlementRoutes(api, parts);
      addVirtualAccountRoutes(api, parts);
    },
    { prefix: '/v1' },
  );

  const sender = startWebhookSender(ledger, webhookUrl, realNow);
  runDue(parts);
  const steps = setInterval(() => runDue(parts), 50);
  const close = async () => {
    clearInterval(steps);
    closing.abort();
    await Promise.all([sender.close(), app.close()]);
  };
  try {
    return { url: await listenOnLoopback(app, settings.port), now, close };
  } catch (error) {
    await close();
    throw error;
  }
}
