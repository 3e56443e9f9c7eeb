import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { longestOverlapHours, maxAllowedIps, maxEndedKeys } from '#shared/domain/api-key.ts';
import { ids } from '#shared/contract/ids.ts';
import { accessChangedSchema, effectiveBySchema, instantSchema } from '#shared/contract/values.ts';

/** An IPv4 or IPv6 address, or a network of them (CIDR). */
export const allowedIpSchema = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be an address such as 203.0.113.7 or a network such as 203.0.113.0/24',
);

/** Restrictions on a key; an omitted one does not apply. */
export const keyTermsSchema = z.strictObject({
  /** When it expires; null for never. */
  expiresAt: instantSchema.nullable().default(null),
  /** Addresses that may use it; empty for all. */
  allowedIps: z.array(allowedIpSchema).max(maxAllowedIps).default([]),
  /** The most calls that may be counted per day, in addition to the plan's quotas; null for no cap. */
  dailyCap: z.int().min(1).max(1_000_000_000).nullable().default(null),
});
export type KeyTerms = z.output<typeof keyTermsSchema>;

export const apiKeySchema = z.object({
  id: z.string(),
  keyName: z.string(),
  createdAt: instantSchema,
  isRevoked: z.boolean(),
  revokedAt: instantSchema.nullable(),
  /** The last four characters. */
  hint: z.string(),
  lastUsedAt: instantSchema.nullable(),
  /** Calls of today (IST) that reached the product or its sandbox, counted or not. */
  callsToday: z.int(),
  /** From where it was used last, and with which client; null until a gateway has reported it. */
  lastClient: z.object({ address: z.string(), client: z.string(), at: instantSchema }).nullable(),
  /** A test key reaches the product's sandbox and is not counted against the plan. */
  isTest: z.boolean(),
  expiresAt: instantSchema.nullable(),
  isExpired: z.boolean(),
  allowedIps: z.array(z.string()),
  dailyCap: z.int().nullable(),
  /** The id of its successor. */
  replacedBy: z.string().nullable(),
});
export type ApiKey = z.output<typeof apiKeySchema>;

const ofActivation = z.object({ activationId: ids.activation });

export const listApiKeys = defineCall({
  name: 'listApiKeys',
  summary: `The API keys of an activation, newest first; of those that were revoked, the ${maxEndedKeys} that ended last`,
  method: 'GET',
  path: '/devportal/services/:activationId/apikeys',
  auth: 'session',
  params: ofActivation,
  reply: z.array(apiKeySchema),
  refusals: ['not_found'],
});

/** Only this response contains the key. */
const newKeySchema = z.object({
  apiKey: z.string(),
  id: z.string(),
  keyName: z.string(),
  createdAt: instantSchema,
  effectiveBy: effectiveBySchema,
});

export const createApiKey = defineCall({
  name: 'createApiKey',
  summary: 'Generate an API key; it is shown once',
  method: 'POST',
  path: '/devportal/services/:activationId/apikeys/generate',
  auth: 'session',
  params: ofActivation,
  body: keyTermsSchema.extend({ keyName: z.string().max(100), isTest: z.boolean().default(false) }),
  reply: newKeySchema,
  refusals: [
    'account_blocked',
    'not_found',
    'invalid_key_name',
    'key_name_taken',
    'key_end_past',
    'test_key_uncapped',
    'no_sandbox',
    'too_many_keys',
    'too_many_keys_today',
    'too_many_requests',
  ],
});

/** An ordinary test key, listed and revocable. */
export const createTryKey = defineCall({
  name: 'createTryKey',
  summary:
    'Generate the test key named “try” (“try2” … where you have a key of that name): it works for an hour, and replaces the one generated so before',
  method: 'POST',
  path: '/devportal/services/:activationId/apikeys/try',
  auth: 'session',
  params: ofActivation,
  reply: newKeySchema.extend({ expiresAt: instantSchema }),
  refusals: ['account_blocked', 'not_found', 'no_sandbox', 'too_many_keys', 'too_many_keys_today', 'too_many_requests'],
});

export const updateApiKey = defineCall({
  name: 'updateApiKey',
  summary:
    'Change the expiry, the allowed addresses and the daily cap of a key; the gateway enforces them from this response on, or from effectiveBy',
  method: 'PUT',
  path: '/devportal/services/:activationId/apikeys/:keyId',
  auth: 'session',
  params: ofActivation.extend({ keyId: ids.key }),
  body: keyTermsSchema.required(),
  reply: accessChangedSchema,
  refusals: ['not_found', 'key_ended', 'key_end_past', 'test_key_uncapped', 'too_many_requests'],
});

/** The new key has the name, addresses and cap of the old one, and the same lifetime. */
export const rotateApiKey = defineCall({
  name: 'rotateApiKey',
  summary: 'Replace an API key; the old one keeps working for as many hours as you choose',
  method: 'POST',
  path: '/devportal/services/:activationId/apikeys/:keyId/rotate',
  auth: 'session',
  params: ofActivation.extend({ keyId: ids.key }),
  body: z.strictObject({ overlapHours: z.int().min(0).max(longestOverlapHours) }),
  reply: newKeySchema.extend({ previousEndsAt: instantSchema }),
  refusals: [
    'account_blocked',
    'not_found',
    'key_ended',
    'no_sandbox',
    'too_many_keys',
    'too_many_keys_today',
    'too_many_requests',
  ],
});

export const revokeApiKey = defineCall({
  name: 'revokeApiKey',
  summary: 'Revoke an API key for good; the gateway refuses it from this response on, or from effectiveBy',
  method: 'DELETE',
  path: '/devportal/services/:activationId/apikeys/:keyId',
  auth: 'session',
  params: ofActivation.extend({ keyId: ids.key }),
  reply: accessChangedSchema,
  refusals: ['not_found'],
});
