import { z } from 'zod';
import { instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';
import { operatorRoles } from './roles.ts';

/** Of an operator: the audit log has room for it. */
export const operatorEmailSchema = z
  .string()
  .max(95)
  .trim()
  .toLowerCase()
  .regex(/^[^\s@<>,;"\p{C}]+@[^\s@<>,;"\p{C}]+$/u, 'is not an e-mail address');
const domainSchema = z
  .string()
  .max(200)
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'is not a domain, such as kaveri.example');

const roleSchema = z.enum(operatorRoles);

const operatorReply = z.object({
  /** Null in the preview of somebody who is new. */
  id: z.string().nullable(),
  email: z.string(),
  name: z.string(),
  /** Null for somebody who was not an operator. */
  before: roleSchema.nullable(),
  /** Afterwards; null when removed. */
  role: roleSchema.nullable(),
  /** What ends with it, or would. */
  sessions: z.int(),
  tokens: z.int(),
});

export const listOperators = defineOperatorCall({
  name: 'listOperators',
  summary: 'Who operates this installation, with which role, and the domains whose people may',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({
    operators: z.array(
      z.object({
        id: z.string(),
        email: z.string(),
        name: z.string(),
        role: roleSchema,
        addedAt: instantSchema,
        /** Null before the first sign-in. */
        signedInAt: instantSchema.nullable(),
        passkeys: z.int(),
        sessions: z.int(),
      }),
    ),
    domains: z.array(z.object({ domain: z.string(), role: roleSchema, addedAt: instantSchema })),
  }),
});

export const addOperator = defineOperatorCall({
  name: 'addOperator',
  summary: 'Let a person sign in to the console with this Google address, with a role',
  auth: 'operator',
  action: 'operators.add',
  concerns: 'provider',
  input: z.strictObject({ email: operatorEmailSchema, role: roleSchema }),
  reply: operatorReply,
});

export const changeOperator = defineOperatorCall({
  name: 'changeOperator',
  summary: 'Give an operator another role; it counts from the next action on',
  auth: 'operator',
  action: 'operators.role',
  concerns: 'provider',
  input: z.strictObject({ email: operatorEmailSchema, role: roleSchema }),
  reply: operatorReply,
});

export const removeOperator = defineOperatorCall({
  name: 'removeOperator',
  summary: 'Remove an operator: sessions, passkeys and tokens end at once',
  auth: 'operator',
  action: 'operators.remove',
  concerns: 'provider',
  input: z.strictObject({ email: operatorEmailSchema }),
  reply: operatorReply,
});

const domainReply = z.object({
  domain: z.string(),
  before: roleSchema.nullable(),
  role: roleSchema.nullable(),
});

export const addOperatorDomain = defineOperatorCall({
  name: 'addOperatorDomain',
  summary: 'Let everybody of a Google Workspace domain sign in, with this role at first',
  auth: 'operator',
  action: 'operator-domains.add',
  concerns: 'provider',
  input: z.strictObject({ domain: domainSchema, role: roleSchema.exclude(['owner']) }),
  reply: domainReply,
});

export const removeOperatorDomain = defineOperatorCall({
  name: 'removeOperatorDomain',
  summary: 'Let nobody new of a domain sign in; those who did stay operators',
  auth: 'operator',
  action: 'operator-domains.remove',
  concerns: 'provider',
  input: z.strictObject({ domain: domainSchema }),
  reply: domainReply,
});

export const operatorTeamCalls = {
  listOperators,
  addOperator,
  changeOperator,
  removeOperator,
  addOperatorDomain,
  removeOperatorDomain,
};
