import { z } from 'zod';
import { instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

/** An entry of the audit log. */
export const recordedActionSchema = z.object({
  position: z.int(),
  at: instantSchema,
  actor: z.string(),
  /** Noun and verb: `keys.revoke`. */
  action: z.string(),
  /** The id of what it was done to. */
  target: z.string(),
  /** Null when it concerns nobody in particular. */
  customerId: z.string().nullable(),
  reason: z.string(),
  /** What changed, in the words of the action. */
  effect: z.unknown(),
});
export type RecordedAction = z.output<typeof recordedActionSchema>;

export const listActions = defineOperatorCall({
  name: 'listActions',
  summary: 'What operators did, newest first',
  auth: 'operator',
  input: z.strictObject({
    ...pageInput,
    /** Only what concerns this customer. */
    customerId: z.string().optional(),
    /** Only what this person or program did, as `actor` names it. */
    actor: z.string().max(300).optional(),
  }),
  reply: z.object({ actions: z.array(recordedActionSchema), next: nextSchema }),
});

export const actionCalls = { listActions };
