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

  handle(app, portal, contract.listWebhooks, async ({ owner }) => ({ webhooks: await listWebhooks(portal, owner) }));

  handle(app, portal, contract.createWebhook, ({ owner, body }) => addWebhook(portal, owner, body), limits);

  handle(
    app,
    portal,
    contract.updateWebhook,
    ({ owner, params, body }) => changeWebhook(portal, owner, params.webhookId, body),
    limits,
  );

  handle(app, portal, contract.deleteWebhook, async ({ owner, params }) => {
    if (!(await deleteWebhook(owner, portal.db, params.webhookId))) throw refuse('not_found');
    return done;
  });

  handle(
    app,
    portal,
    contract.rollWebhookSecret,
    ({ owner, params, body }) => rollSecret(portal, owner, params.webhookId, body.overlapHours),
    limits,
  );

  handle(
    app,
    portal,
    contract.testWebhook,
    async ({ owner, params }) => ({ deliveryId: await sendTest(portal, owner, params.webhookId) }),
    limits,
  );

  handle(app, portal, contract.listWebhookDeliveries, async ({ owner, params }) => ({
    deliveries: await listDeliveries(portal, owner, params.webhookId),
  }));

  handle(app, portal, contract.listWebhookAttempts, async ({ owner, params }) => ({
    attempts: await listAttempts(portal, owner, params.webhookId, params.deliveryId),
  }));

  handle(
    app,
    portal,
    contract.replayWebhookDelivery,
    async ({ owner, params }) => {
      await replayDelivery(portal, owner, params.webhookId, params.deliveryId);
      return done;
    },
    limits,
  );
}
