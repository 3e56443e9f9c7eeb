import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { z } from 'zod';
import { rehearsalPrefixes } from '#shared/platform/production-rules.ts';
import { envName } from '#shared/platform/read-config.ts';
import { allSettings } from '#ship/launch/settings.ts';
import type { RehearsalPorts } from './ports.ts';

const secretsSchema = z.object({
  googleClientId: z.string(),
  razorpayKeyId: z.string(),
  razorpayKeySecret: z.string(),
  razorpayWebhookSecret: z.string(),
  gspClientId: z.string(),
  gspClientSecret: z.string(),
  mailPassword: z.string(),
  s3KeyId: z.string(),
  s3Secret: z.string(),
  backupIdentity: z.string(),
  /** Of the three users of the database, once they exist. */
  databaseUrls: z.object({ migrate: z.string(), run: z.string(), read: z.string() }).optional(),
});
export type RehearsalSecrets = z.output<typeof secretsSchema>;

/** Where browsers and callers reach a port of the front. */
export const at = (port: number): string => `https://localhost:${port}`;

const random = (length: number): string => randomBytes(length).toString('hex').slice(0, length);
const secretsFile = (folder: string): string => join(folder, 'secrets.json');

/** The accounts of a rehearsal, made at its first start. */
export async function openSecrets(folder: string): Promise<RehearsalSecrets> {
  const file = secretsFile(folder);
  if (existsSync(file)) return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const secrets = {
    googleClientId: `${rehearsalPrefixes.googleClientId}${random(12)}.apps.googleusercontent.com`,
    razorpayKeyId: `${rehearsalPrefixes.razorpayKeyId}${random(14)}`,
    razorpayKeySecret: random(24),
    razorpayWebhookSecret: random(24),
    gspClientId: `rehearsal-${random(8)}`,
    gspClientSecret: random(24),
    mailPassword: random(24),
    s3KeyId: `rehearsal-${random(8)}`,
    s3Secret: random(24),
    backupIdentity: await generateIdentity(),
  };
  saveSecrets(folder, secrets);
  return secrets;
}

export function saveSecrets(folder: string, secrets: RehearsalSecrets): void {
  writeFileSync(secretsFile(folder), `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
}

/**
 * The operator's own settings that a rehearsal takes over: the company, its look, what it sells, its rules and limits; the APIs that it names are
 * called as in production. Accounts, keys, places and ports are those of the rehearsal.
 */
const ownSettings =
  /^(?:OPERATOR_\w+|KEEP_\w+|ACCOUNTANT_EMAIL|SUPPORT_SENDERS|SETTLEMENT_DAYS|RENEWALS|BANK_TRANSFERS|PUBLIC_PAGES|SIGN_INS_PER_MINUTE|E_INVOICE_THIRTY_DAYS|RATES_DIR|TEST_KEY_RPS|MAX_\w+_BYTES|CALLER_TIMEOUT_MS|BUSY_DELAY_MS|DATABASE_TIMEOUT_MS|PDF_\w+|PROVIDER_NAME|SUPPLIER_\w+|SUPPORT_(?:EMAIL|PHONE|HOURS(?:_HINDI)?)|INVOICE_PREFIX|LETTERS_OF_UNDERTAKING|LAST_NOTE_DAY|CATALOG_DIR|CATALOG_SECRETS_DIR|BRAND_DIR|(?:UPSTREAM|SANDBOX|CATALOG_SECRET)_\w+)$/;

/** Where the operator has set none: production refuses the samples. */
const company = {
  PROVIDER_NAME: 'Rehearsal',
  SUPPLIER_NAME: 'Rehearsal Private Limited',
  SUPPLIER_GSTIN: '29ZZZCA0001A1Z0',
  SUPPLIER_ADDRESS: '14 Residency Road, Bengaluru 560025',
  SUPPLIER_CITY: 'Bengaluru',
  SUPPLIER_PIN: '560025',
  SUPPORT_EMAIL: 'support@rehearsal.internal',
  SUPPORT_PHONE: '+91 80 0000 0000',
} as const;

export interface RehearsalPlace {
  /** Of everything that the rehearsal keeps. */
  folder: string;
  dataDir: string;
  ports: RehearsalPorts;
  secrets: RehearsalSecrets;
}

/** Every setting of a rehearsal but DATABASE_URL: production's, with the stand-ins at the addresses of Google, Razorpay, the GSP, mail and backups. */
export async function rehearsalEnv(
  { folder, dataDir, ports, secrets }: RehearsalPlace,
  given: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string>> {
  const env: Record<string, string> = { ...company, CATALOG_DIR: join(folder, 'catalog') };
  for (const [name, value] of Object.entries(given)) if (value && ownSettings.test(name)) env[name] = value;
  for (const name of ['CATALOG_DIR', 'CATALOG_SECRETS_DIR', 'BRAND_DIR', 'RATES_DIR'])
    if (env[name] !== undefined) env[name] = resolve(env[name]);
  return {
    ...env,
    NODE_ENV: 'production',
    REHEARSAL: 'yes',
    DATA_DIR: dataDir,
    PORTAL_URL: at(ports.portal),
    GATEWAY_URL: at(ports.gateway),
    TRUSTED_PROXIES: '127.0.0.1',
    PORTAL_PORT: String(ports.portalBehind),
    GATEWAY_PORT: String(ports.gatewayBehind),
    TAX_LOOKUP_PORT: String(ports.taxLookup),
    INVOICING_PORT: String(ports.invoicing),
    GOOGLE_CLIENT_ID: secrets.googleClientId,
    GOOGLE_JWKS_URL: `${at(ports.google)}/oauth2/v3/certs`,
    GOOGLE_SCRIPT_URL: `${at(ports.google)}/gsi/client`,
    RAZORPAY_KEY_ID: secrets.razorpayKeyId,
    RAZORPAY_KEY_SECRET: secrets.razorpayKeySecret,
    RAZORPAY_WEBHOOK_SECRET: secrets.razorpayWebhookSecret,
    RAZORPAY_API_URL: `${at(ports.razorpay)}/v1`,
    RAZORPAY_CHECKOUT_URL: `${at(ports.razorpay)}/v1/checkout.js`,
    GSP_URL: at(ports.gstn),
    GSP_CLIENT_ID: secrets.gspClientId,
    GSP_CLIENT_SECRET: secrets.gspClientSecret,
    SMTP_URL: `smtp://rehearsal:${secrets.mailPassword}@127.0.0.1:${ports.mail}`,
    MAIL_FROM: 'Rehearsal <billing@rehearsal.internal>',
    BACKUP_DIR: `${at(ports.s3)}/rehearsal/backups`,
    BACKUP_S3_KEY_ID: secrets.s3KeyId,
    BACKUP_S3_SECRET: secrets.s3Secret,
    BACKUP_RECIPIENT: await identityToRecipient(secrets.backupIdentity),
  };
}

/** The names of settings that are given and have no part in the rehearsal `env`, not even as a stand-in. */
export function notTaken(
  env: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string | undefined>>,
): string[] {
  return [...allSettings().keys()].map(envName).filter((name) => given[name] && env[name] === undefined);
}

/** What the stand-ins get: they are not production, and know the accounts of the rehearsal. */
export function standinsEnv(
  env: Readonly<Record<string, string>>,
  { ports, secrets }: RehearsalPlace,
): Record<string, string> {
  return {
    ...env,
    NODE_ENV: 'development',
    STANDIN_GOOGLE_PORT: String(ports.googleBehind),
    STANDIN_GOOGLE_URL: at(ports.google),
    STANDIN_RAZORPAY_PORT: String(ports.razorpayBehind),
    STANDIN_GSTN_PORT: String(ports.gstnBehind),
    STANDIN_MAIL_PORT: String(ports.mail),
    STANDIN_MAIL_PASSWORD: secrets.mailPassword,
    STANDIN_S3_PORT: String(ports.s3Behind),
    RAZORPAY_WEBHOOK_URL: `${at(ports.portal)}/backend/webhooks/razorpay`,
  };
}
