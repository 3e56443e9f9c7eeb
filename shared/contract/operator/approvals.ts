import { z } from 'zod';
import { instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

export const approvalStates = ['WAITING', 'DONE', 'DECLINED'] as const;

const approvalSchema = z.object({
  id: z.string(),
  /** The action that was asked for, and what it is to be done with. */
  call: z.string(),
  input: z.record(z.string(), z.unknown()),
  customerId: z.string(),
  /** The customer's name. */
  customer: z.string(),
  amount: rupeesSchema,
  reason: z.string(),
  requestedBy: z.string(),
  requestedAt: instantSchema,
  state: z.enum(approvalStates),
  /** Who approved or declined it. */
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
});

export const listApprovals = defineOperatorCall({
  name: 'listApprovals',
  summary: 'Actions above what one person may decide: those that wait for a second one, or were decided, newest first',
  auth: 'operator',
  input: z.strictObject({
    state: z.enum(approvalStates).optional(),
    limit: z.int().min(1).max(1000).optional(),
  }),
  reply: z.object({ approvals: z.array(approvalSchema) }),
});

const decision = z.strictObject({ approvalId: z.string().max(80) });

export const approve = defineOperatorCall({
  name: 'approve',
  summary: 'Do what another operator asked for: with the same input, and only while the amount is the same',
  auth: 'operator',
  action: 'approvals.approve',
  concerns: 'provider',
  input: decision,
  reply: approvalSchema.extend({
    /** What the action replies. */
    result: z.record(z.string(), z.unknown()),
  }),
});

export const decline = defineOperatorCall({
  name: 'decline',
  summary: 'Decline what another operator asked for, or take back what you asked for',
  auth: 'operator',
  action: 'approvals.decline',
  concerns: 'provider',
  input: decision,
  reply: approvalSchema,
});

export const approvalCalls = { listApprovals, approve, decline };
