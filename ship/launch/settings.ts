import { z } from 'zod';
import { backupSettings } from '#backup/config.ts';
import { lowestPostgres } from '#shared/database/lowest-postgres.ts';
import { nodeEnv, port, secret, text, upstreamAddress, webAddress, yesNo } from '#shared/platform/settings.ts';
import { partList } from './parts.ts';

/** The launcher's own settings; each process has further settings of its own. */
export const launcherSettings = z.object({
  dataDir: text('Folder for everything that must be kept: the database, journals, logs').default('./data'),
  databaseUrl: secret(
    `Your own PostgreSQL (${lowestPostgres} or newer); without it one is started in the data folder`,
  ).optional(),
  walArchiveDir: text(
    'Folder in which the embedded PostgreSQL keeps its log, to restore any moment (octroi backup base); if not set, it does not',
  ).optional(),
  portalPort: port(4000, 'Port of the portal'),
  gatewayPort: port(4100, 'Port of the gateway'),
  taxLookupPort: port(4201, 'Port of the tax look-up product'),
  invoicingPort: port(4202, 'Port of the invoicing product'),
  standinGooglePort: port(4301, 'Port of the stand-in for Google'),
  standinRazorpayPort: port(4302, 'Port of the stand-in for Razorpay'),
  standinGstnPort: port(4303, 'Port of the stand-in for the GST systems'),
  portalUrl: webAddress(
    'Address at which browsers reach the portal; http://localhost and its port by default',
  ).optional(),
  gatewayUrl: webAddress(
    'Address at which API callers reach the gateway; http://localhost and its port by default',
  ).optional(),
  upstreamTaxLookupApi: upstreamAddress(
    'Where the gateway forwards the tax look-up API to; our own product by default, in the gateway itself with file:build/tax-lookup-inside.js',
  ).optional(),
  upstreamInvoicingSystem: upstreamAddress(
    'Where the gateway forwards the invoicing API to; our own product by default',
  ).optional(),
  sandboxTaxLookupApi: upstreamAddress(
    'Where the gateway forwards test calls of the tax look-up API to; our own product by default, never UPSTREAM_TAX_LOOKUP_API',
  ).optional(),
  sandboxInvoicingSystem: upstreamAddress(
    'Where the gateway forwards test calls of the invoicing API to; our own product by default, never UPSTREAM_INVOICING_SYSTEM',
  ).optional(),
  googleClientId: text('OAuth client id of your Google project; without it a stand-in signs people in').optional(),
  razorpayKeyId: text('Key id of your Razorpay account; without it a stand-in takes the payments').optional(),
  razorpayKeySecret: secret('Key secret of your Razorpay account').optional(),
  razorpayWebhookSecret: secret('Secret of your Razorpay webhook').optional(),
  gspUrl: webAddress(
    'Address of your GST Suvidha Provider; without it a stand-in plays the GST systems, and in production they are off',
  ).optional(),
  nodeEnv,
  verbose: yesNo(false, 'Show every log line in the terminal, not only warnings and errors'),
});

export type LauncherSettings = z.output<typeof launcherSettings>;

/** Every setting by name, the launcher's descriptions first. */
export function allSettings(): Map<string, z.core.$ZodType> {
  const all = new Map<string, z.core.$ZodType>(Object.entries(launcherSettings.shape));
  for (const settings of [...partList.map(({ settings }) => settings), backupSettings]) {
    for (const [name, field] of Object.entries(settings.shape)) if (!all.has(name)) all.set(name, field);
  }
  return all;
}
