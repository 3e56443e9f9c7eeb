import { join } from 'node:path';
import { readBackupSettings } from '#backup/config.ts';
import { standinAccounts } from '#shared/platform/production-rules.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import type { LauncherSettings } from './settings.ts';
import { partList } from './parts.ts';
import type { WantedPort } from './ports.ts';

/** A program to start and keep running. */
export interface ProcessPlan {
  name: string;
  script: string;
  args?: string[];
  env: Record<string, string>;
  /** Responds with 200 when the process is ready. */
  healthUrls: string[];
}

/** The stand-ins' own accounts, clearly not real ones. */
function googleAccount(address: string): Record<string, string> {
  return {
    GOOGLE_CLIENT_ID: standinAccounts.googleClientId,
    GOOGLE_JWKS_URL: `${address}/oauth2/v3/certs`,
    GOOGLE_SCRIPT_URL: `${address}/gsi/client`,
  };
}

function razorpayAccount(address: string, settings: LauncherSettings): Record<string, string> {
  return {
    RAZORPAY_KEY_ID: standinAccounts.razorpayKeyId,
    RAZORPAY_KEY_SECRET: standinAccounts.razorpayKeySecret,
    RAZORPAY_WEBHOOK_SECRET: standinAccounts.razorpayWebhookSecret,
    RAZORPAY_API_URL: `${address}/v1`,
    RAZORPAY_CHECKOUT_URL: `${address}/v1/checkout.js`,
    RAZORPAY_WEBHOOK_URL: `http://localhost:${settings.portalPort}/backend/webhooks/razorpay`,
  };
}

function gspAccount(address: string): Record<string, string> {
  const { gspClientId, gspClientSecret } = standinAccounts;
  return { GSP_URL: address, GSP_CLIENT_ID: gspClientId, GSP_CLIENT_SECRET: gspClientSecret };
}

export interface Addresses {
  portal: string;
  gateway: string;
  google?: string;
  razorpay?: string;
  gstn?: string;
}

export function addressesOf(settings: LauncherSettings): Addresses {
  return {
    portal: settings.portalUrl ?? `http://localhost:${settings.portalPort}`,
    gateway: settings.gatewayUrl ?? `http://localhost:${settings.gatewayPort}`,
    ...(settings.googleClientId === undefined ? { google: `http://localhost:${settings.standinGooglePort}` } : {}),
    ...(settings.razorpayKeyId === undefined ? { razorpay: `http://localhost:${settings.standinRazorpayPort}` } : {}),
    // Unlike the other two, the GST systems may be missing in production: the features that need them report it.
    ...(settings.gspUrl === undefined && settings.nodeEnv !== 'production'
      ? { gstn: `http://localhost:${settings.standinGstnPort}` }
      : {}),
  };
}

/** The environment that all processes share: the given one, the launcher's additions, and the stand-ins' account. */
export function sharedEnv(
  settings: LauncherSettings,
  given: Record<string, string>,
  databaseUrl: string,
): Record<string, string> {
  const { portal, gateway, google, razorpay, gstn } = addressesOf(settings);
  const env: Record<string, string> = {
    ...given,
    DATA_DIR: settings.dataDir,
    DATABASE_URL: databaseUrl,
    PORTAL_URL: portal,
    GATEWAY_URL: gateway,
    UPSTREAM_TAX_LOOKUP_API: settings.upstreamTaxLookupApi ?? `http://127.0.0.1:${settings.taxLookupPort}`,
    UPSTREAM_INVOICING_SYSTEM: settings.upstreamInvoicingSystem ?? `http://127.0.0.1:${settings.invoicingPort}`,
    SANDBOX_TAX_LOOKUP_API: settings.sandboxTaxLookupApi ?? `http://127.0.0.1:${settings.taxLookupPort}`,
    SANDBOX_INVOICING_SYSTEM: settings.sandboxInvoicingSystem ?? `http://127.0.0.1:${settings.invoicingPort}`,
    NODE_ENV: settings.nodeEnv,
  };
  if (google !== undefined || razorpay !== undefined) {
    env['STANDINS'] = 'yes';
    // On a trial installation, the webhook receiver is usually on the same machine.
    env['WEBHOOKS_TO_LOOPBACK'] ??= 'yes';
  }
  if (google !== undefined) Object.assign(env, googleAccount(google));
  if (razorpay !== undefined) {
    env['BANK_TRANSFERS'] ??= 'yes';
    Object.assign(env, razorpayAccount(razorpay, settings));
  }
  if (gstn !== undefined) Object.assign(env, gspAccount(gstn));
  return env;
}

export function at(port: number, path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}

function needsStandins({ google, razorpay, gstn }: Addresses): boolean {
  return [google, razorpay, gstn].some((address) => address !== undefined);
}

export const builtProgram = (name: string): string => join(projectFolder('build'), `${name}.js`);

/** The programs to start, in order. */
export function planProcesses(settings: LauncherSettings, env: Record<string, string>): ProcessPlan[] {
  const plan = (name: string, healthUrls: string[]): ProcessPlan => ({
    name,
    script: builtProgram(name),
    env,
    healthUrls,
  });
  const { backupDir, backupRecipient } = readBackupSettings({ env });
  // Stand-ins use their own accounts even when another account is real: no real secret goes to a stand-in.
  const standins = {
    ...plan('standins', [
      at(settings.standinGooglePort, '/standin/about'),
      at(settings.standinRazorpayPort, '/standin/about'),
      at(settings.standinGstnPort, '/standin/about'),
    ]),
    env: {
      ...env,
      ...googleAccount(`http://localhost:${settings.standinGooglePort}`),
      ...razorpayAccount(`http://localhost:${settings.standinRazorpayPort}`, settings),
      ...gspAccount(`http://localhost:${settings.standinGstnPort}`),
      STANDIN_GSTN_PORT: String(settings.standinGstnPort),
    },
  };
  return [
    ...(needsStandins(addressesOf(settings)) ? [standins] : []),
    ...partList.map(({ name, ports }) =>
      plan(
        name,
        ports.map(({ setting, healthPath }) => at(settings[setting], healthPath)),
      ),
    ),
    ...(backupDir !== undefined && backupRecipient.length > 0
      ? [{ ...plan('octroi', []), name: 'backup', args: ['backup', 'schedule'] }]
      : []),
  ];
}

export function wantedPorts(settings: LauncherSettings): WantedPort[] {
  const standins: WantedPort[] = [
    { setting: 'standinGooglePort', port: settings.standinGooglePort, what: 'the stand-in for Google' },
    { setting: 'standinRazorpayPort', port: settings.standinRazorpayPort, what: 'the stand-in for Razorpay' },
    { setting: 'standinGstnPort', port: settings.standinGstnPort, what: 'the stand-in for the GST systems' },
  ];
  return [
    ...partList.flatMap(({ ports }) => ports.map(({ setting, what }) => ({ setting, what, port: settings[setting] }))),
    ...(needsStandins(addressesOf(settings)) ? standins : []),
  ];
}
