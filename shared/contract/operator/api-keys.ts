import { z } from 'zod';
import { effectiveBySchema, instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

/** A key as an operator sees it; nobody sees the key itself. */
const foundKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Its first characters; null for a key from before they were stored. */
  prefix: z.string().nullable(),
  /** Its last four characters. */
  hint: z.string(),
  isTest: z.boolean(),
  createdAt: instantSchema,
  revokedAt: instantSchema.nullable(),
  expiresAt: instantSchema.nullable(),
  isExpired: z.boolean(),
  activationId: z.string(),
  productId: z.string(),
  customerId: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
});
export type FoundKey = z.output<typeof foundKeySchema>;

/** The id of a key (`KEY-…`), the whole key, or its beginning with at least two characters after `gstk_live_`. */
const soughtKey = z.strictObject({ key: z.string().max(200) });

export const findKeys = defineOperatorCall({
  name: 'findKeys',
  summary: 'Keys by an id, the whole key or its beginning, and whose they are',
  auth: 'operator',
  input: soughtKey,
  reply: z.object({ keys: z.array(foundKeySchema) }),
});

export const listKeysOfCustomer = defineOperatorCall({
  name: 'listKeysOfCustomer',
  summary: 'The keys of a customer, newest first',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string() }),
  reply: z.object({ keys: z.array(foundKeySchema) }),
});

export const revokeKey = defineOperatorCall({
  name: 'revokeKey',
  summary: 'Revoke a key for good and tell its customer; returns when no gateway accepts it any more',
  auth: 'operator',
  action: 'keys.revoke',
  concerns: 'customer',
  input: soughtKey,
  reply: z.object({ key: foundKeySchema, effectiveBy: effectiveBySchema }),
});

export const apiKeyCalls = { findKeys, listKeysOfCustomer, revokeKey };
