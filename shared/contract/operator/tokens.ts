import { z } from 'zod';
import { instantSchema, oneLine } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

const tokenSchema = z.object({
  /** Null in the preview of a new one. */
  id: z.string().nullable(),
  name: z.string(),
  /** Its last characters; null in the preview of a new one. */
  hint: z.string().nullable(),
  /** The address of the operator for whom it acts. */
  operator: z.string(),
  /** The names of the calls that it may make, as long as the operator may. */
  scopes: z.array(z.string()),
  createdAt: instantSchema,
  expiresAt: instantSchema,
  lastUsedAt: instantSchema.nullable(),
  revokedAt: instantSchema.nullable(),
});

export const listTokens = defineOperatorCall({
  name: 'listTokens',
  summary: 'The tokens of programs that act for operators, newest first; never their secrets',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({ tokens: z.array(tokenSchema) }),
});

export const createToken = defineOperatorCall({
  name: 'createToken',
  summary: 'Make a token for a program that acts for you; it is shown once',
  auth: 'operator',
  action: 'operator-tokens.create',
  concerns: 'provider',
  input: z.strictObject({
    /** In the audit log in brackets after its operator. */
    name: z
      .string()
      .overwrite(oneLine)
      .min(1, 'Enter a name, such as CRM')
      .max(60)
      .regex(/^[^(),@\p{C}]*$/u, 'may not have ( ) , or @ in it'),
    /** The names of calls. */
    scopes: z.array(z.string().max(60)).min(1).max(200),
    /** After which it ends. */
    days: z.int().min(1).max(366),
  }),
  reply: tokenSchema.extend({
    /** The token itself, once; null in a preview. */
    token: z.string().nullable(),
  }),
});

export const revokeToken = defineOperatorCall({
  name: 'revokeToken',
  summary: 'Revoke a token of yours, or as an owner of anybody: it is refused at once',
  auth: 'operator',
  action: 'operator-tokens.revoke',
  concerns: 'provider',
  input: z.strictObject({ tokenId: z.string().max(80) }),
  reply: tokenSchema,
});

export const tokenCalls = { listTokens, createToken, revokeToken };
