/** The ids of a customer who owns one of every kind. */
export interface Owned {
  token: string;
  activationId: string;
  cycleId: string;
  keyId: string;
  orderId: string;
  documentId: string;
  webhookId: string;
  deliveryId: string;
}

/** Calls whose path or body names something that a customer owns, and the ids that would name the owner's. */
export const ownedIds: Record<string, (ids: Owned) => { params?: Record<string, string>; body?: object }> = {
  previewDeleteActivation: ({ activationId }) => ({ params: { activationId } }),
  deleteActivation: ({ activationId }) => ({ params: { activationId } }),
  addCycle: ({ activationId }) => ({ params: { activationId, planId: 'growth' }, body: { startDate: '2099-01-01' } }),
  previewEndCycle: ({ activationId, cycleId }) => ({ params: { activationId, billingCycleId: cycleId } }),
  endCycle: ({ activationId, cycleId }) => ({ params: { activationId, billingCycleId: cycleId } }),
  createOrder: ({ cycleId }) => ({ params: { id: cycleId } }),
  verifyPayment: ({ orderId }) => ({ body: { orderId, paymentId: 'pay_00000000000000', signature: 'ab' } }),
  listHistory: ({ activationId }) => ({ params: { id: activationId } }),
  readInvoice: ({ cycleId }) => ({ params: { billingCycleId: cycleId } }),
  readDocument: ({ documentId }) => ({ params: { documentId } }),
  correctInvoice: ({ documentId }) => ({ params: { documentId } }),
  readUsage: ({ activationId }) => ({ params: { activationId } }),
  readCycleUsage: ({ cycleId }) => ({ params: { billingCycleId: cycleId } }),
  listRequests: ({ activationId }) => ({ params: { activationId } }),
  createSupportMessage: ({ activationId }) => ({ body: { subject: 'Help', message: 'Please help me', activationId } }),
  listApiKeys: ({ activationId }) => ({ params: { activationId } }),
  createApiKey: ({ activationId }) => ({ params: { activationId }, body: { keyName: 'mine' } }),
  updateApiKey: ({ activationId, keyId }) => ({
    params: { activationId, keyId },
    body: { expiresAt: null, allowedIps: [], dailyCap: 5 },
  }),
  rotateApiKey: ({ activationId, keyId }) => ({ params: { activationId, keyId }, body: { overlapHours: 0 } }),
  revokeApiKey: ({ activationId, keyId }) => ({ params: { activationId, keyId } }),
  updateWebhook: ({ webhookId }) => ({
    params: { webhookId },
    body: { url: 'https://1.1.1.1/', events: ['cycle.ended'], enabled: true },
  }),
  deleteWebhook: ({ webhookId }) => ({ params: { webhookId } }),
  rollWebhookSecret: ({ webhookId }) => ({ params: { webhookId }, body: { overlapHours: 24 } }),
  testWebhook: ({ webhookId }) => ({ params: { webhookId } }),
  listWebhookDeliveries: ({ webhookId }) => ({ params: { webhookId } }),
  listWebhookAttempts: ({ webhookId, deliveryId }) => ({ params: { webhookId, deliveryId } }),
  replayWebhookDelivery: ({ webhookId, deliveryId }) => ({ params: { webhookId, deliveryId } }),
};
/** Calls that name nothing that a customer owns: products of the catalogue, or no id at all. */
export const nothingOwned = new Set([
  'createSignInNonce',
  'signIn',
  'signOut',
  'readAccount',
  'updateProfile',
  'listProducts',
  'listPlans',
  'activatePlan',
  'activateProduct',
  'activateService',
  'listActivations',
  'listAllHistory',
  'readUsageReport',
  'listSupportMessages',
  'listDocuments',
  'readPurchaseRegister',
  'listActivatedServices',
  'listWebhooks',
  'createWebhook',
]);

/** Ids that do not exist. */
export const absent: Owned = {
  token: '',
  activationId: 'ACT-0000000000',
  cycleId: 'CYC-000000000000',
  keyId: 'KEY-000000000000',
  orderId: 'order_00000000000000',
  documentId: 'DOC-000000000000',
  webhookId: 'WHK-000000000000',
  deliveryId: 'DLV-000000000000',
};
