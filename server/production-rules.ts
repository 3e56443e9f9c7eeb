import {
  notATestKey,
  notAnExampleAddress,
  notOfARehearsal,
  notOnThisMachine,
  notSwitchedOn,
  notTheSample,
  notTheStandins,
  notUnencrypted,
  ofTheRehearsal,
  onThisMachine,
  onlyHttps,
  rehearsalPrefixes,
} from '#shared/platform/production-rules.ts';

/** Addresses of Google and Razorpay. */
const outside = ['googleJwksUrl', 'googleScriptUrl', 'razorpayApiUrl', 'razorpayCheckoutUrl'] as const;
const accounts = ['googleClientId', 'razorpayKeyId'] as const;

/** Settings that the portal refuses in production. */
export const productionRules = [
  { setting: 'portalUrl', ...onlyHttps },
  { setting: 'gatewayUrl', ...onlyHttps },
  { setting: 'googleClientId', ...notTheStandins },
  { setting: 'googleJwksUrl', ...onlyHttps },
  { setting: 'googleScriptUrl', ...onlyHttps },
  { setting: 'razorpayKeyId', ...notATestKey },
  { setting: 'razorpayKeySecret', ...notTheStandins },
  { setting: 'razorpayWebhookSecret', ...notTheStandins },
  { setting: 'razorpayApiUrl', ...onlyHttps },
  { setting: 'razorpayCheckoutUrl', ...onlyHttps },
  { setting: 'supplierName', ...notTheSample },
  { setting: 'supplierGstin', ...notTheSample },
  { setting: 'supplierAddress', ...notTheSample },
  { setting: 'supportEmail', ...notAnExampleAddress },
  { setting: 'supportPhone', ...notTheSample },
  { setting: 'mailFrom', ...notAnExampleAddress },
  { setting: 'gspUrl', ...onlyHttps },
  { setting: 'gspClientId', ...notTheStandins },
  { setting: 'gspClientSecret', ...notTheStandins },
  { setting: 'documentsPlace', ...notUnencrypted },
  { setting: 'requestLogColdPlace', ...notUnencrypted },
  { setting: 'standins', ...notSwitchedOn },
  { setting: 'webhooksToLoopback', ...notSwitchedOn },
  ...outside.map((setting) => ({ setting, ...notOnThisMachine })),
  ...accounts.map((setting) => ({ setting, ...notOfARehearsal(rehearsalPrefixes[setting]) })),
  ...accounts.map((setting) => ({ setting, ...ofTheRehearsal(rehearsalPrefixes[setting]) })),
  ...([...outside, 'portalUrl', 'gatewayUrl', 'gspUrl', 'smtpUrl', 'supportInbox'] as const).map((setting) => ({
    setting,
    ...onThisMachine,
  })),
] as const;
