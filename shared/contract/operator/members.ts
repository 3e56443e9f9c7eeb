import { z } from 'zod';
import { memberRoles } from '#shared/contract/member-roles.ts';
import { invitationSchema } from '#shared/contract/members.ts';
import { instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

const customerId = z.string().max(80);

const memberRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(memberRoles),
  joinedAt: instantSchema,
  /** Null: a member of now. */
  removedAt: instantSchema.nullable(),
  /** Name and address are gone. */
  isForgotten: z.boolean(),
});
export type MemberRecord = z.output<typeof memberRecordSchema>;

export const readMembers = defineOperatorCall({
  name: 'readMembers',
  summary: 'The members of a customer, those who were removed too, and the invitations that are open',
  auth: 'operator',
  input: z.strictObject({ customerId }),
  reply: z.object({
    /** The owner first, then as they joined; those who were removed last. */
    members: z.array(memberRecordSchema),
    invitations: z.array(
      invitationSchema.pick({
        id: true,
        email: true,
        role: true,
        state: true,
        startsAt: true,
        endsAt: true,
        byProvider: true,
      }),
    ),
  }),
});

export const forgetMember = defineOperatorCall({
  name: 'forgetMember',
  summary:
    'Take name and address from what is kept of a member who was removed; what the member did stays, without a name',
  auth: 'operator',
  action: 'members.forget',
  concerns: 'customer',
  input: z.strictObject({ memberId: z.string().max(80) }),
  reply: z.object({ memberId: z.string(), customerId: z.string(), removedAt: instantSchema }),
});

export const allowNewAccount = defineOperatorCall({
  name: 'allowNewAccount',
  summary: 'Let whoever founded a customer and passed it on begin with an account of the own again',
  auth: 'operator',
  action: 'customers.release',
  concerns: 'customer',
  input: z.strictObject({ customerId }),
  reply: z.object({ customerId: z.string(), name: z.string(), email: z.string() }),
});

export const memberOperatorCalls = { readMembers, forgetMember, allowNewAccount };
