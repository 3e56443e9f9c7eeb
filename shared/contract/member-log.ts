import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { instantSchema } from '#shared/contract/values.ts';

/**
 * The calls of which the customer's log keeps who made them: what changes something of weight, and what takes papers out. In groups, as people
 * look for it.
 */
export const loggedCallsByGroup = [
  { group: 'keys', calls: ['createApiKey', 'createTryKey', 'updateApiKey', 'rotateApiKey', 'revokeApiKey'] },
  {
    group: 'plans',
    calls: [
      'activatePlan',
      'activateProduct',
      'activateService',
      'addCycle',
      'buyPack',
      'switchPlan',
      'endCycle',
      'deleteActivation',
      'skipRenewal',
      'endRenewal',
      'setRecharge',
      'skipRecharge',
      'endRecharge',
    ],
  },
  {
    group: 'payments',
    calls: ['createOrder', 'createOrderOfPeriods', 'verifyPayment', 'payLater', 'payByTransfer', 'makePayLink'],
  },
  {
    group: 'papers',
    calls: [
      'readDocument',
      'readInvoice',
      'readMonthPack',
      'readPurchaseRegister',
      'readStatementPaper',
      'correctInvoice',
      'readTdsCertificate',
      'readTaxLetter',
      'readDataExport',
    ],
  },
  {
    group: 'details',
    calls: [
      'updateProfile',
      'declareTaxClaim',
      'withdrawTaxClaim',
      'declareTds',
      'declareTransferTds',
      'askAccountant',
      'removeAccountant',
      'updateMails',
      'askErasure',
      'withdrawErasure',
    ],
  },
  {
    group: 'members',
    calls: [
      'inviteMember',
      'approveMember',
      'revokeInvitation',
      'acceptInvitation',
      'allowColleagues',
      'changeMember',
      'limitMember',
      'removeMember',
      'leaveCustomer',
      'offerOwnership',
      'switchTwoStep',
      'addMemberPasskey',
      'removeMemberPasskey',
      'removePasskeysOf',
    ],
  },
  { group: 'webhooks', calls: ['createWebhook', 'updateWebhook', 'deleteWebhook', 'rollWebhookSecret'] },
] as const;
export const loggedCalls = loggedCallsByGroup.flatMap(({ calls }): readonly LoggedCall[] => calls);
export type LoggedCall = (typeof loggedCallsByGroup)[number]['calls'][number];
export type ActionGroup = (typeof loggedCallsByGroup)[number]['group'];

export const memberLogFilter = z.object({
  /** Of this member alone; `provider`: what operators did. */
  memberId: ids.member.optional(),
  action: z.enum(loggedCalls).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
});

export const logEntrySchema = z.object({
  id: z.string(),
  at: instantSchema,
  /** Null: the provider. */
  member: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  /** A call of `loggedCalls`; of the provider an action such as `keys.revoke`. */
  action: z.string(),
  /** The id of what it was done to. */
  target: z.string().nullable(),
  /** Why; of the provider alone. */
  reason: z.string().nullable(),
  /** The operator who saw the portal as the customer; of other actions the customer learns what was done, not by whom. */
  by: z.string().nullable(),
});
export type LogEntry = z.output<typeof logEntrySchema>;

export const listMemberActions = defineCall({
  name: 'listMemberActions',
  summary: 'Who did what for the customer, members and the provider, newest first',
  method: 'GET',
  path: '/members/log',
  auth: 'session',
  query: memberLogFilter.extend({
    /** The `next` of the page before. */
    after: z.string().max(60).optional(),
  }),
  reply: z.object({
    entries: z.array(logEntrySchema),
    next: z.string().nullable(),
    /** Members of now and of before, to choose from. */
    people: z.array(z.object({ id: z.string(), name: z.string(), isFormer: z.boolean() })),
  }),
  refusals: [],
});

/** The same as CSV, under the backend's address, with the filter of the call; it takes the session token. */
export const memberLogCsvPath = '/members/log/csv';
