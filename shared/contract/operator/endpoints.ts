import { z } from 'zod';
import { isProviderEventType, providerEventTypes } from '#shared/contract/provider-events.ts';
import {
  maxOverlapHours,
  webhookAttemptSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookSettings,
} from '#shared/contract/webhooks.ts';
import { defineOperatorCall } from './operator-call.ts';

const endpointSchema = webhookSchema.extend({
  /** Null in the preview of a new one. */
  id: z.string().nullable(),
  /** Without its query, in which there may be a token. */
  url: z.string(),
  events: z.array(z.string()),
});

const withSecretSchema = endpointSchema.extend({
  /** The signing secret, once; null in a preview. */
  secret: z.string().nullable(),
});

const ofEndpoint = z.strictObject({ endpointId: z.string().max(80) });
const ofDelivery = z.strictObject({ deliveryId: z.string().max(80) });
const events = z
  .array(z.string().refine(isProviderEventType, 'is no event of yours'))
  .min(1)
  .max(providerEventTypes.length);

export const listEndpoints = defineOperatorCall({
  name: 'listEndpoints',
  summary: 'Your own webhooks, oldest first; never their secrets',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({ endpoints: z.array(endpointSchema) }),
});

export const createEndpoint = defineOperatorCall({
  name: 'createEndpoint',
  summary: 'Add a webhook of yours: an https address that receives events; its signing secret is shown once',
  auth: 'operator',
  action: 'endpoints.create',
  concerns: 'provider',
  input: z.strictObject({ url: webhookSettings.shape.url, events }),
  reply: withSecretSchema,
});

export const changeEndpoint = defineOperatorCall({
  name: 'changeEndpoint',
  summary: 'Change the address or the events of a webhook of yours, or switch it off or on again',
  auth: 'operator',
  action: 'endpoints.change',
  concerns: 'provider',
  input: ofEndpoint.extend({
    url: webhookSettings.shape.url.optional(),
    events: events.optional(),
    enabled: z.boolean().optional(),
  }),
  reply: endpointSchema,
});

export const rollEndpointSecret = defineOperatorCall({
  name: 'rollEndpointSecret',
  summary: 'Replace the signing secret of a webhook of yours; during the overlap, deliveries carry both signatures',
  auth: 'operator',
  action: 'endpoints.roll-secret',
  concerns: 'provider',
  input: ofEndpoint.extend({ overlapHours: z.int().min(0).max(maxOverlapHours) }),
  reply: withSecretSchema,
});

export const removeEndpoint = defineOperatorCall({
  name: 'removeEndpoint',
  summary: 'Remove a webhook of yours with its deliveries; nothing more is sent to it',
  auth: 'operator',
  action: 'endpoints.remove',
  concerns: 'provider',
  input: ofEndpoint,
  reply: endpointSchema,
});

const sentSchema = z.object({
  endpointId: z.string(),
  url: z.string(),
  event: z.string(),
  /** Null in the preview of a test. */
  deliveryId: z.string().nullable(),
});

export const testEndpoint = defineOperatorCall({
  name: 'testEndpoint',
  summary: 'Send a test event of the type webhook.test to a webhook of yours',
  auth: 'operator',
  action: 'endpoints.test',
  concerns: 'provider',
  input: ofEndpoint,
  reply: sentSchema,
});

export const listDeliveries = defineOperatorCall({
  name: 'listDeliveries',
  summary: 'The latest 50 deliveries to a webhook of yours; they are kept for 30 days',
  auth: 'operator',
  input: ofEndpoint,
  reply: z.object({ deliveries: z.array(webhookDeliverySchema.omit({ body: true })) }),
});

export const readDelivery = defineOperatorCall({
  name: 'readDelivery',
  summary: 'A delivery to a webhook of yours: what is sent, and its latest 50 attempts, newest first',
  auth: 'operator',
  input: ofDelivery,
  reply: webhookDeliverySchema.extend({ endpointId: z.string(), attempts: z.array(webhookAttemptSchema) }),
});

export const resendDelivery = defineOperatorCall({
  name: 'resendDelivery',
  summary: 'Send a delivery to a webhook of yours again now, with the same event id',
  auth: 'operator',
  action: 'endpoints.resend',
  concerns: 'provider',
  input: ofDelivery,
  reply: sentSchema,
});

export const endpointCalls = {
  listEndpoints,
  createEndpoint,
  changeEndpoint,
  rollEndpointSecret,
  removeEndpoint,
  testEndpoint,
  listDeliveries,
  readDelivery,
  resendDelivery,
};
