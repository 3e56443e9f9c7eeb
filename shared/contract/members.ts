import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { emailSchema } from '#shared/contract/email.ts';
import { ids } from '#shared/contract/ids.ts';
import { memberRoles } from '#shared/contract/member-roles.ts';
import { enteredSchema, waitingSchema } from '#shared/contract/invitations.ts';
import { accessChangedSchema, doneSchema, instantSchema } from '#shared/contract/values.ts';

/** The roles that can be given; the ownership is offered. */
export const givenRoleSchema = z.enum(['developer', 'accountant', 'viewer']);
export type GivenRole = z.output<typeof givenRoleSchema>;
const roleSchema = z.enum(memberRoles);

export const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  picture: z.string(),
  role: roleSchema,
  joinedAt: instantSchema,
  /** The member who asks. */
  isSelf: z.boolean(),
  /** The most that calls with all keys that the member made may use in a day, whichever API they call; null for no limit. */
  dailyLimit: z.int().nullable(),
});
export type Member = z.output<typeof memberSchema>;

export const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  /** As owner: an offer of the ownership, which is withdrawn or objected to by revoking it. */
  role: roleSchema,
  /** What the owner becomes by it. */
  formerRole: givenRoleSchema.nullable(),
  /**
   * ASKED: a colleague asks to be invited. WAITING: can be accepted. LATER: by the provider, of use from `startsAt` on unless the owner objects. EXPIRED: was
   * not accepted in time.
   */
  state: z.enum(['ASKED', 'WAITING', 'LATER', 'EXPIRED']),
  /** Who asks to be invited; null for whom the owner invited. */
  name: z.string().nullable(),
  startsAt: instantSchema.nullable(),
  endsAt: instantSchema.nullable(),
  /** By the provider, because nobody reached the owner. */
  byProvider: z.boolean(),
});
export type Invitation = z.output<typeof invitationSchema>;

export const listMembers = defineCall({
  name: 'listMembers',
  summary: 'The members of the customer, the owner first, and who is invited',
  method: 'GET',
  path: '/members',
  auth: 'session',
  reply: z.object({
    members: z.array(memberSchema),
    /** Open ones, and those that expired in the last 30 days; for the owner alone, others see their own offer. */
    invitations: z.array(invitationSchema),
    /** The Google Workspace of the owner, whose people may ask to join where `mayAsk`; null for a personal account. */
    domain: z.string().nullable(),
    mayAsk: z.boolean(),
  }),
  refusals: [],
});

export const inviteMember = defineCall({
  name: 'inviteMember',
  summary:
    'Invite an address as a member: a mail has a link, which the Google account of that address can accept for 7 days',
  method: 'POST',
  path: '/members/invitations',
  auth: 'session',
  body: z.strictObject({ email: emailSchema, role: givenRoleSchema }),
  reply: invitationSchema,
  refusals: [
    'account_blocked',
    'member_already',
    'invited_already',
    'too_many_members',
    'invited_too_often',
    'invitations_unwanted',
    'too_many_requests',
  ],
});

export const approveMember = defineCall({
  name: 'approveMember',
  summary: 'Invite a colleague who asked to join',
  method: 'POST',
  path: '/members/invitations/:invitationId/approve',
  auth: 'session',
  params: z.object({ invitationId: ids.invitation }),
  body: z.strictObject({ role: givenRoleSchema }),
  reply: invitationSchema,
  refusals: ['account_blocked', 'not_found', 'too_many_members', 'invited_too_often', 'too_many_requests'],
});

export const revokeInvitation = defineCall({
  name: 'revokeInvitation',
  summary:
    'Revoke an invitation, decline who asks, withdraw an offer of the ownership, or object to one by the provider',
  method: 'DELETE',
  path: '/members/invitations/:invitationId',
  auth: 'session',
  params: z.object({ invitationId: ids.invitation }),
  reply: doneSchema,
  refusals: ['not_found'],
});

export const allowColleagues = defineCall({
  name: 'allowColleagues',
  summary:
    'Let people of the owner’s own Google Workspace ask to become members, or stop that; nobody joins without an approval',
  method: 'PUT',
  path: '/members/colleagues',
  auth: 'session',
  body: z.strictObject({ mayAsk: z.boolean() }),
  reply: doneSchema,
  refusals: ['no_workspace'],
});

export const changeMember = defineCall({
  name: 'changeMember',
  summary: 'Give a member another role; it holds from the response on',
  method: 'PUT',
  path: '/members/:memberId',
  auth: 'session',
  params: z.object({ memberId: ids.member }),
  body: z.strictObject({ role: givenRoleSchema }),
  reply: memberSchema,
  refusals: ['not_found', 'owner_stays'],
});

export const limitMember = defineCall({
  name: 'limitMember',
  summary:
    'Limit how many calls a day all keys that a member made may count together, in addition to plans and caps; the gateway enforces it from this response on, or from effectiveBy',
  method: 'PUT',
  path: '/members/:memberId/limit',
  auth: 'session',
  params: z.object({ memberId: ids.member }),
  body: z.strictObject({
    /** By the IST day, in units where a plan counts those; null for no limit. */
    dailyLimit: z.int().min(1).max(1_000_000_000).nullable(),
  }),
  reply: accessChangedSchema,
  refusals: ['not_found', 'too_many_requests'],
});

export const removeMember = defineCall({
  name: 'removeMember',
  summary: 'Remove a member: sessions, streams, downloads and links have ended when this responds; keys stay',
  method: 'DELETE',
  path: '/members/:memberId',
  auth: 'session',
  params: z.object({ memberId: ids.member }),
  reply: z.object({
    /** Keys in use that the member made. */
    keys: z.array(
      z.object({
        id: z.string(),
        activationId: z.string(),
        keyName: z.string(),
        hint: z.string(),
        isTest: z.boolean(),
      }),
    ),
    /** Webhooks that the member added: they go on sending. */
    webhooks: z.array(z.object({ id: z.string(), url: z.string() })),
    /** The member's address, where the papers of each month still go to it by mail as to the accountant's; else null. */
    accountantEmail: z.string().nullable(),
  }),
  refusals: ['not_found', 'owner_stays'],
});

export const leaveCustomer = defineCall({
  name: 'leaveCustomer',
  summary: 'Leave the customer; the owner can’t. With `forget`, name and address go from what is kept of the member',
  method: 'POST',
  path: '/members/leave',
  auth: 'session',
  body: z.strictObject({ forget: z.boolean() }),
  reply: doneSchema,
  refusals: ['owner_stays'],
});

export const offerOwnership = defineCall({
  name: 'offerOwnership',
  summary: 'Offer the ownership to a member, who can accept it for 7 days; the owner gets the role that is given here',
  method: 'POST',
  path: '/members/:memberId/ownership',
  auth: 'session',
  params: z.object({ memberId: ids.member }),
  body: z.strictObject({ formerRole: givenRoleSchema.default('accountant') }),
  reply: invitationSchema,
  refusals: [
    'not_found',
    'account_blocked',
    'owner_stays',
    'invited_already',
    'invited_too_often',
    'too_many_requests',
  ],
});

export const listMyCustomers = defineCall({
  name: 'listMyCustomers',
  summary: 'The customers that the person is a member of, the one of this session too, and what waits for the person',
  method: 'GET',
  path: '/members/customers',
  auth: 'session',
  reply: waitingSchema.extend({
    customers: z.array(
      z.object({ customerId: z.string(), customerName: z.string(), role: roleSchema, isCurrent: z.boolean() }),
    ),
    /** The person has founded no account yet. */
    mayOpenOwn: z.boolean(),
  }),
  refusals: [],
  // Other customers, and what lets the person in there.
  customerOnly: true,
});

export const switchCustomer = defineCall({
  name: 'switchCustomer',
  summary: 'Get a session for another customer of the same person; the one of this call goes on, for other tabs',
  method: 'POST',
  path: '/members/customers/:customerId/session',
  auth: 'session',
  params: z.object({ customerId: ids.customer }),
  reply: enteredSchema,
  refusals: ['not_found', 'too_many_requests'],
});

export const openOwnCustomer = defineCall({
  name: 'openOwnCustomer',
  summary: 'Begin with an account of the own, beside those of others; responds with a session for it',
  method: 'POST',
  path: '/members/customers',
  auth: 'session',
  reply: enteredSchema,
  refusals: ['account_passed_on', 'account_blocked', 'too_many_requests'],
});

export const askToJoin = defineCall({
  name: 'askToJoin',
  summary: 'Ask the owner of a customer of the same Google Workspace to be invited',
  method: 'POST',
  path: '/members/customers/:customerId/ask',
  auth: 'session',
  params: z.object({ customerId: ids.customer }),
  reply: doneSchema,
  refusals: ['not_found', 'too_many_requests'],
});
