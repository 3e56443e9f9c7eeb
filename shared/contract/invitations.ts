import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { memberRoles } from '#shared/contract/member-roles.ts';
import { doneSchema, instantSchema } from '#shared/contract/values.ts';

const roleSchema = z.enum(memberRoles);

/** What waits for the person, whoever the customer is. */
export const waitingInvitationSchema = z.object({
  id: z.string(),
  customerName: z.string(),
  role: roleSchema,
  endsAt: instantSchema,
  /** With which it is accepted; null: only the link in the mail has it, as Google doesn’t vouch for the address. */
  signature: z.string().nullable(),
});

/** Customers whose owners let people of the person’s Workspace ask to join. */
const joinableSchema = z.object({ customerId: z.string(), customerName: z.string(), hasAsked: z.boolean() });
export const waitingSchema = z.object({
  invitations: z.array(waitingInvitationSchema),
  joinable: z.array(joinableSchema),
});
export type Waiting = z.output<typeof waitingSchema>;

/** A session of the customer that was chosen or joined. */
export const enteredSchema = z.object({
  accessToken: z.string(),
  requireOnboarding: z.boolean(),
  customerId: z.string(),
});

const accepting = ['not_found', 'link_expired', 'invitation_for_other', 'too_many_members', 'member_already'] as const;

export const acceptInvitation = defineCall({
  name: 'acceptInvitation',
  summary:
    'Accept an invitation or the ownership, as the person of this session; responds with a session for that customer',
  method: 'POST',
  path: '/invitations/:invitationId/accept',
  auth: 'session',
  params: z.object({ invitationId: ids.offered }),
  body: z.strictObject({ signature: z.string().max(64) }),
  reply: enteredSchema,
  refusals: [...accepting, 'too_many_requests'],
});

/** The link of the mail is the permission to see and to decline. */
export const readInvitation = defineCall({
  name: 'readInvitation',
  summary: 'For who follows the link of a mail: what the invitation is to',
  method: 'GET',
  path: '/invitations/:invitationId',
  auth: 'none',
  params: z.object({ invitationId: ids.offered }),
  query: z.object({ signature: z.string().max(64) }),
  reply: z.object({
    customerName: z.string(),
    email: z.string(),
    role: roleSchema,
    state: z.enum(['WAITING', 'LATER', 'EXPIRED', 'ENDED']),
    startsAt: instantSchema,
    endsAt: instantSchema,
  }),
  refusals: ['not_found', 'too_many_requests'],
});

export const declineInvitation = defineCall({
  name: 'declineInvitation',
  summary:
    'For who follows the link of a mail: decline. The owner may do the same to object to a transfer by the provider',
  method: 'POST',
  path: '/invitations/:invitationId/decline',
  auth: 'none',
  params: z.object({ invitationId: ids.offered }),
  body: z.strictObject({
    signature: z.string().max(64),
    /** The address gets no invitations for a year, from anybody; colleagues can still be asked. */
    noMore: z.boolean().default(false),
  }),
  reply: doneSchema,
  refusals: ['not_found', 'link_expired', 'too_many_requests'],
});

/** From the response to the sign-in, for 10 minutes. */
const identitySchema = z.string().max(8000);

export const readFirst = defineCall({
  name: 'readFirst',
  summary: 'What waits for who signed in for the first time: invitations, and customers of colleagues',
  method: 'POST',
  path: '/account/first',
  auth: 'none',
  body: z.strictObject({ identity: identitySchema }),
  reply: waitingSchema,
  refusals: ['sign_in_failed', 'too_many_requests'],
});

/** Nothing is made before the choice. */
export const continueSignIn = defineCall({
  name: 'continueSignIn',
  summary:
    'Finish a first sign-in for which an invitation waited: accept it, ask to join, or begin a customer of one’s own',
  method: 'POST',
  path: '/account/continue',
  auth: 'none',
  body: z.strictObject({
    identity: identitySchema,
    choice: z.union([
      z.strictObject({ kind: z.literal('own') }),
      z.strictObject({ kind: z.literal('accept'), invitationId: z.string().max(80), signature: z.string().max(64) }),
      z.strictObject({ kind: z.literal('ask'), customerId: z.string().max(80) }),
    ]),
  }),
  /** Null after asking: somebody has to answer first. */
  reply: enteredSchema.nullable(),
  refusals: ['sign_in_failed', 'account_passed_on', ...accepting, 'too_many_requests'],
});
