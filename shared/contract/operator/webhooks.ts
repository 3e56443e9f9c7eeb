import { z } from 'zod';
import { instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

/** A delivery that failed, or waits for another attempt after a failure. */
const failureSchema = z.object({
  id: z.string(),
  event: z.string(),
  status: z.string(),
  tries: z.int(),
  triedAt: instantSchema.nullable(),
  nextTryAt: instantSchema.nullable(),
  /** Of the response; null when there was none, for the reason in `fault`. */
  responseStatus: z.int().nullable(),
  fault: z.string().nullable(),
});

export const listWebhooks = defineOperatorCall({
  name: 'listWebhooks',
  summary: 'The webhooks of a customer with their newest failures; nobody sees their secrets',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string() }),
  reply: z.object({
    webhooks: z.array(
      z.object({
        id: z.string(),
        /** Without its query. */
        url: z.string(),
        events: z.array(z.string()),
        createdAt: instantSchema,
        disabledAt: instantSchema.nullable(),
        /** Who or what switched it off. */
        disabledReason: z.enum(['OWNER', 'FAILING', 'GONE']).nullable(),
        /** Since when no delivery has succeeded. */
        failingSince: instantSchema.nullable(),
        failures: z.array(failureSchema),
      }),
    ),
  }),
});

export const webhookCalls = { listWebhooks };
