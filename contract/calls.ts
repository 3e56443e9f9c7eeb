import * as account from '#contract/account.ts';
import * as activations from '#contract/activations.ts';
import * as apiKeys from '#contract/api-keys.ts';
import type { Call } from '#contract/call.ts';
import * as cycles from '#contract/cycles.ts';
import * as documents from '#contract/documents.ts';
import * as invoices from '#contract/invoices.ts';
import * as marketplace from '#contract/marketplace.ts';
import * as payments from '#contract/payments.ts';
import * as requestLog from '#contract/request-log.ts';
import * as support from '#contract/support.ts';
import * as usage from '#contract/usage.ts';
import * as webhooks from '#contract/webhooks.ts';

/** Every call of the contract, so that rules for all calls (ownership, guards, documents) are tested for each. */
export const calls: readonly Call[] = [
  account.createSignInNonce,
  account.signIn,
  account.signOut,
  account.readAccount,
  account.updateProfile,
  marketplace.listProducts,
  marketplace.listPlans,
  marketplace.activatePlan,
  marketplace.activateProduct,
  marketplace.activateService,
  activations.listActivations,
  activations.listActivatedServices,
  activations.previewDeleteActivation,
  activations.deleteActivation,
  cycles.addCycle,
  cycles.previewEndCycle,
  cycles.endCycle,
  payments.createOrder,
  payments.verifyPayment,
  invoices.listHistory,
  invoices.listAllHistory,
  invoices.readInvoice,
  documents.listDocuments,
  documents.readDocument,
  documents.correctInvoice,
  documents.readPurchaseRegister,
  usage.readUsage,
  usage.readUsageReport,
  usage.readCycleUsage,
  requestLog.listRequests,
  support.createSupportMessage,
  support.listSupportMessages,
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.updateApiKey,
  apiKeys.rotateApiKey,
  apiKeys.revokeApiKey,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rollWebhookSecret,
  webhooks.testWebhook,
  webhooks.listWebhookDeliveries,
  webhooks.listWebhookAttempts,
  webhooks.replayWebhookDelivery,
];
