import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { doneSchema, instantSchema, oneLine } from '#shared/contract/values.ts';
import { webhookEventTypes } from '#shared/contract/webhook-events.ts';

const eventSchema = z.enum(webhookEventTypes);

/** The most webhooks that a customer may have. */
export const maxWebhooks = 10;

/** How long, in hours, the old secret may keep signing after a replacement. */
export const maxOverlapHours = 168;

export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(eventSchema),
  createdAt: instantSchema,
  /**
   * Why deliveries are off: disabled by its owner, failing for days, or the address responded 410. Null while it is on.
   */
  disabledReason: z.enum(['OWNER', 'FAILING', 'GONE']).nullable(),
  /** The time of the first failure since the last success. */
  failingSince: instantSchema.nullable(),
  /** How long the previous secret signs as well. */
  oldSecretUntil: instantSchema.nullable(),
  lastDeliveryAt: instantSchema.nullable(),
});
export type Webhook = z.output<typeof webhookSchema>;

export const webhookDeliverySchema = z.object({
  id: z.string(),
  /** The id of the event, the same for every attempt: header `webhook-id`. */
  eventId: z.string(),
  type: z.string(),
  createdAt: instantSchema,
  status: z.enum(['PENDING', 'DELIVERED', 'FAILED']),
  tries: z.int(),
  nextTryAt: instantSchema.nullable(),
  /** Of the latest attempt; null before the first. */
  triedAt: instantSchema.nullable(),
  durationMs: z.int().nullable(),
  responseStatus: z.int().nullable(),
  /** The beginning of the response body. */
  responseStart: z.string().nullable(),
  /** Why there was no response. */
  fault: z.string().nullable(),
  /** The body that is sent. */
  body: z.string(),
});
export type WebhookDelivery = z.output<typeof webhookDeliverySchema>;

/** As a member sees it: of an event that is not for its role without what it says. */
const ownDeliverySchema = webhookDeliverySchema.extend({ body: z.string().nullable() });
export type OwnDelivery = z.output<typeof ownDeliverySchema>;

export const webhookAttemptSchema = z.object({
  /** From 1; a replay continues the count. */
  attempt: z.int(),
  at: instantSchema,
  durationMs: z.int(),
  responseStatus: z.int().nullable(),
  /** The beginning of the response body. */
  responseStart: z.string().nullable(),
  /** Why there was no response. */
  fault: z.string().nullable(),
});
export type WebhookAttempt = z.output<typeof webhookAttemptSchema>;

export const webhookSettings = z.strictObject({
  url: z.string().overwrite(oneLine).min(1).max(500),
  events: z.array(eventSchema).min(1).max(40),
});
const ofWebhook = z.object({ webhookId: ids.webhook });
const secretSchema = z.string().meta({ description: 'whsec_ and base64, as Standard Webhooks defines it; shown once' });

export const listWebhooks = defineCall({
  name: 'listWebhooks',
  summary: 'The webhooks of the customer, oldest first',
  method: 'GET',
  path: '/developers/webhooks',
  auth: 'session',
  reply: z.object({ webhooks: z.array(webhookSchema) }),
  refusals: [],
});

/** Only this response contains the secret. */
export const createWebhook = defineCall({
  name: 'createWebhook',
  summary: 'Add a webhook: an https address that receives events; its signing secret is shown once',
  method: 'POST',
  path: '/developers/webhooks',
  auth: 'session',
  body: webhookSettings,
  reply: z.object({ webhook: webhookSchema, secret: secretSchema }),
  refusals: ['invalid_webhook_url', 'too_many_webhooks', 'too_many_requests'],
});

export const updateWebhook = defineCall({
  name: 'updateWebhook',
  summary: 'Change the address and events of a webhook, or switch it off and on',
  method: 'PUT',
  path: '/developers/webhooks/:webhookId',
  auth: 'session',
  params: ofWebhook,
  body: webhookSettings.extend({ enabled: z.boolean() }),
  reply: webhookSchema,
  refusals: ['not_found', 'invalid_webhook_url', 'too_many_requests'],
});

export const deleteWebhook = defineCall({
  name: 'deleteWebhook',
  summary: 'Delete a webhook with its deliveries; nothing more is sent to it',
  method: 'DELETE',
  path: '/developers/webhooks/:webhookId',
  auth: 'session',
  params: ofWebhook,
  reply: doneSchema,
  refusals: ['not_found'],
});

export const rollWebhookSecret = defineCall({
  name: 'rollWebhookSecret',
  summary: 'Replace the signing secret; during the overlap, deliveries carry both signatures',
  method: 'POST',
  path: '/developers/webhooks/:webhookId/secret',
  auth: 'session',
  params: ofWebhook,
  body: z.strictObject({ overlapHours: z.int().min(0).max(maxOverlapHours) }),
  reply: z.object({ webhook: webhookSchema, secret: secretSchema }),
  refusals: ['not_found', 'too_many_requests'],
});

export const testWebhook = defineCall({
  name: 'testWebhook',
  summary: 'Send a test event of the type webhook.test',
  method: 'POST',
  path: '/developers/webhooks/:webhookId/test',
  auth: 'session',
  params: ofWebhook,
  reply: z.object({ deliveryId: z.string() }),
  refusals: ['not_found', 'webhook_disabled', 'too_many_deliveries', 'too_many_requests'],
});

export const listWebhookDeliveries = defineCall({
  name: 'listWebhookDeliveries',
  summary: 'The latest 50 deliveries of a webhook; they are kept for 30 days',
  method: 'GET',
  path: '/developers/webhooks/:webhookId/deliveries',
  auth: 'session',
  params: ofWebhook,
  reply: z.object({ deliveries: z.array(ownDeliverySchema) }),
  refusals: ['not_found'],
});

export const listWebhookAttempts = defineCall({
  name: 'listWebhookAttempts',
  summary: 'The latest 50 attempts of a delivery, newest first, including those before a replay',
  method: 'GET',
  path: '/developers/webhooks/:webhookId/deliveries/:deliveryId/attempts',
  auth: 'session',
  params: ofWebhook.extend({ deliveryId: ids.delivery }),
  reply: z.object({ attempts: z.array(webhookAttemptSchema) }),
  refusals: ['not_found'],
});

export const replayWebhookDelivery = defineCall({
  name: 'replayWebhookDelivery',
  summary: 'Send a delivery again now, with the same event id',
  method: 'POST',
  path: '/developers/webhooks/:webhookId/deliveries/:deliveryId/replay',
  auth: 'session',
  params: ofWebhook.extend({ deliveryId: ids.delivery }),
  reply: doneSchema,
  refusals: ['not_found', 'webhook_disabled', 'too_many_deliveries', 'too_many_requests'],
});
