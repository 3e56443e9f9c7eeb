import type { FastifyInstance } from 'fastify';
import * as contract from '#shared/contract/webhooks.ts';
import { done } from '#shared/contract/values.ts';
import { handle } from '#server/http/handle.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { deleteWebhook } from './store.ts';
import {
  addWebhook,
  changeWebhook,
  listAttempts,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rollSecret,
  sendTest,
} from './webhooks.ts';

/** The customers' webhooks. (The payment provider's webhook is /webhooks/razorpay, in payments.) */
export function webhooksRoutes(app: FastifyInstance, portal: Portal): void {
  // These calls resolve hostnames or send requests, so they are limited.
  const limits = { perMinute: 20 };

  handle(app, portal, contract.listWebhooks, async ({ caller }) => ({ webhooks: await listWebhooks(portal, caller) }));

  handle(app, portal, contract.createWebhook, ({ caller, body }) => addWebhook(portal, caller, body), limits);

  handle(
    app,
    portal,
    contract.updateWebhook,
    ({ caller, params, body }) => changeWebhook(portal, caller, params.webhookId, body),
    limits,
  );

  handle(app, portal, contract.deleteWebhook, async ({ caller, params }) => {
    if (!(await deleteWebhook(caller, portal.db, params.webhookId))) throw refuse('not_found');
    return done;
  });

  handle(
    app,
    portal,
    contract.rollWebhookSecret,
    ({ caller, params, body }) => rollSecret(portal, caller, params.webhookId, body.overlapHours),
    limits,
  );

  handle(
    app,
    portal,
    contract.testWebhook,
    async ({ caller, params }) => ({ deliveryId: await sendTest(portal, caller, params.webhookId) }),
    limits,
  );

  handle(app, portal, contract.listWebhookDeliveries, async ({ caller, params }) => ({
    deliveries: await listDeliveries(portal, caller, params.webhookId),
  }));

  handle(app, portal, contract.listWebhookAttempts, async ({ caller, params }) => ({
    attempts: await listAttempts(portal, caller, params.webhookId, params.deliveryId),
  }));

  handle(
    app,
    portal,
    contract.replayWebhookDelivery,
    async ({ caller, params }) => {
      await replayDelivery(portal, caller, params.webhookId, params.deliveryId);
      return done;
    },
    limits,
  );
}
