import { z } from 'zod';
import { monthSchema } from '#shared/contract/month-pack.ts';
import { instantOrDaySchema, instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

/** What closes a month, in the order in which it is done. */
export const monthEndSteps = [
  'SETTLEMENT_CHECK',
  'MISSING_IRNS',
  'HELD_TRANSFERS',
  'WAITING_TDS_CLAIMS',
  'OVERDUE_BILLS',
  'UNPAID_REFUNDS',
  'MISSING_PROOFS',
  'BOOKS_CHECK',
  'GSTR1',
  'GSTR3B',
  'BOOKS_FILES',
  'MONTH_PACK',
  'LOCK',
] as const;
export type MonthEndStep = (typeof monthEndSteps)[number];

/** A month is locked without these only if the operator names them and says why: its returns are filed from them. */
export const stepsBeforeLock = [
  'SETTLEMENT_CHECK',
  'MISSING_IRNS',
  'HELD_TRANSFERS',
  'BOOKS_CHECK',
  'GSTR1',
  'GSTR3B',
] as const satisfies readonly MonthEndStep[];

const stepSchema = z.object({
  step: z.enum(monthEndSteps),
  /** `DIFFERS`: something is wrong, or what was made is not what the books say now. `NOT_YET`: nobody can do it yet. */
  state: z.enum(['DONE', 'TO_DO', 'DIFFERS', 'NOT_YET']),
  about: z.string(),
  /** Since when it is so; null when that is not known. */
  since: instantOrDaySchema.nullable(),
  /** Who did it. */
  by: z.string().nullable(),
  /** What was found, one by one. */
  findings: z.array(z.string()),
});
export type StepOfMonthEnd = z.output<typeof stepSchema>;

export const readMonthEnd = defineOperatorCall({
  name: 'readMonthEnd',
  summary: 'What closes a month: each step with its state, why, and since when',
  auth: 'operator',
  input: z.strictObject({
    /** The last one that is over when not given. */
    month: monthSchema.optional(),
  }),
  reply: z.object({ month: monthSchema, locked: z.boolean(), steps: z.array(stepSchema) }),
});

export const exportMonthPack = defineOperatorCall({
  name: 'exportMonthPack',
  summary:
    'One ZIP of a month for the accountant: every stored PDF, accepted TDS certificates, the returns of each GSTIN, and the files of the books',
  auth: 'operator',
  file: 'application/zip',
  input: z.strictObject({ month: monthSchema }),
  reply: z.object({
    month: monthSchema,
    documents: z.int(),
    /** Documents without a stored PDF. */
    missing: z.array(z.string()),
  }),
});

/** A month of the books; `locked`: afterwards. */
const lockReply = z.object({ month: monthSchema, locked: z.boolean() });

export const lockMonth = defineOperatorCall({
  name: 'lockMonth',
  summary: 'Lock a month that is over: no document is dated into it any more',
  auth: 'operator',
  action: 'months.lock',
  concerns: 'provider',
  input: z.strictObject({
    month: monthSchema,
    /** The steps that may be left undone; without them it is refused. The reason says why. */
    despite: z.array(z.enum(stepsBeforeLock)).optional(),
  }),
  reply: z.object({
    ...lockReply.shape,
    undone: z.array(z.object({ step: z.enum(stepsBeforeLock), about: z.string() })),
  }),
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

export const monthEndCalls = { readMonthEnd, exportMonthPack, lockMonth, unlockMonth, listLocks };
