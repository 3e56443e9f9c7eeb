import { z } from 'zod';
import { defineCall } from '#contract/call.ts';
import { doneSchema, idSchema, instantSchema } from '#contract/values.ts';

export const apiKeySchema = z.object({
  id: z.string(),
  keyName: z.string(),
  createdAt: instantSchema,
  isRevoked: z.boolean(),
  revokedAt: instantSchema.nullable(),
  /** The last four characters. */
  hint: z.string(),
  lastUsedAt: instantSchema.nullable(),
});
export type ApiKey = z.output<typeof apiKeySchema>;

const ofActivation = z.object({ activationId: idSchema });

export const listApiKeys = defineCall({
  name: 'listApiKeys',
  summary: 'The API keys of an activation, newest first',
  method: 'GET',
  path: '/devportal/services/:activationId/apikeys',
  auth: 'session',
  params: ofActivation,
  reply: z.array(apiKeySchema),
  refusals: ['not_found'],
});

/** The key is in this reply and nowhere else, ever. */
export const createApiKey = defineCall({
  name: 'createApiKey',
  summary: 'Generate an API key; it is shown once',
  method: 'POST',
  path: '/devportal/services/:activationId/apikeys/generate',
  auth: 'session',
  params: ofActivation,
  body: z.strictObject({ keyName: z.string().max(100) }),
  reply: z.object({ apiKey: z.string(), id: z.string(), keyName: z.string(), createdAt: instantSchema }),
  refusals: ['not_found', 'invalid_key_name', 'key_name_taken', 'too_many_keys', 'too_many_requests'],
});

export const revokeApiKey = defineCall({
  name: 'revokeApiKey',
  summary: 'Revoke an API key for good; from this answer on the gateway refuses it',
  method: 'DELETE',
  path: '/devportal/services/:activationId/apikeys/:keyId',
  auth: 'session',
  params: ofActivation.extend({ keyId: idSchema }),
  reply: doneSchema,
  refusals: ['not_found'],
});
