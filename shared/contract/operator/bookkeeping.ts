import { z } from 'zod';
import { instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

const monthSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'is not a month, such as 2026-11');

/** A month of the books; `locked`: afterwards. */
const lockReply = z.object({ month: monthSchema, locked: z.boolean() });

export const lockMonth = defineOperatorCall({
  name: 'lockMonth',
  summary: 'Lock a month that is over: no document is dated into it any more',
  auth: 'operator',
  action: 'months.lock',
  concerns: 'provider',
  input: z.strictObject({ month: monthSchema }),
  reply: lockReply,
});

export const unlockMonth = defineOperatorCall({
  name: 'unlockMonth',
  summary: 'Open a locked month again, for the time that a correction takes',
  auth: 'operator',
  action: 'months.unlock',
  concerns: 'provider',
  input: z.strictObject({ month: monthSchema }),
  reply: lockReply,
});

export const listLocks = defineOperatorCall({
  name: 'listLocks',
  summary:
    'What was locked and unlocked, oldest first, and whether each locked month still has the figures of its lock',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({
    records: z.array(
      z.object({
        month: monthSchema,
        action: z.enum(['LOCK', 'UNLOCK']),
        reason: z.string(),
        operator: z.string(),
        recordedAt: instantSchema,
      }),
    ),
    /** Locked months with other figures than at their lock. */
    changed: z.array(monthSchema),
    /** Locked months whose figures were not stored. */
    unknown: z.array(monthSchema),
  }),
});

export const bookkeepingCalls = { lockMonth, unlockMonth, listLocks };
