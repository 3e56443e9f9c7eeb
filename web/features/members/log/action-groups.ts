import type { LoggedCall } from '#shared/contract/member-log.ts';

/** What can be chosen in the log, as people look for it. */
export const actionGroups = [
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
] as const satisfies readonly { group: string; calls: readonly LoggedCall[] }[];

export type ActionGroup = (typeof actionGroups)[number]['group'];
