import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { checks, examine, type NamedFinding } from './examine.ts';
import type { Check } from './finding.ts';
import { withInstallation } from './installation.ts';

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-doctor-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Settings that production accepts; nobody listens at these addresses. */
export const productionEnv = {
  NODE_ENV: 'production',
  PORTAL_URL: 'https://portal.octroi.in',
  GATEWAY_URL: 'https://api.octroi.in',
  TRUSTED_PROXIES: '10.0.0.0/8',
  GOOGLE_CLIENT_ID: '1234-abc.apps.googleusercontent.com',
  RAZORPAY_KEY_ID: 'rzp_live_AAAAAAAAAAAAAA',
  RAZORPAY_KEY_SECRET: 'kLm0nOpQ9rStUvWz',
  RAZORPAY_WEBHOOK_SECRET: 'aVeryLongWebhookSecret',
  SUPPLIER_NAME: 'Kaveri APIs Private Limited',
  SUPPLIER_GSTIN: '29ZZZCA0001A1Z0',
  SUPPLIER_ADDRESS: '14 Residency Road, Bengaluru 560001',
  SUPPORT_EMAIL: 'help@octroi.in',
  SUPPORT_PHONE: '+91 80 1234 5678',
};

/** A settings file with these lines. */
export function settingsFile(lines: string, mode = 0o600): string {
  const file = join(temporaryFolder(), 'octroi.env');
  writeFileSync(file, lines, { mode });
  chmodSync(file, mode);
  return file;
}

export const named = (name: string): Check => {
  const check = checks.find((each) => each.name === name);
  if (check === undefined) throw new Error(`There is no check ${name}.`);
  return check;
};

/** Runs one check on an installation of these settings; without a database unless DATABASE_URL is given. */
export function examineOnly(
  check: string | Check,
  env: Record<string, string> = {},
  more: { envFile?: string; now?: () => number; isTimed?: boolean } = {},
): Promise<NamedFinding[]> {
  const chosen = typeof check === 'string' ? named(check) : check;
  const settings = {
    DATA_DIR: join(tmpdir(), 'octroi-doctor-without-data'),
    CATALOG_DIR: projectFolder('ship', 'standins', 'catalog'),
    ...env,
  };
  return withInstallation({ env: settings, ...more }, (installation) => examine(installation, [chosen]));
}

/** A fault or warning that says this, with a meaning and this remedy. */
export const problem = (found: string, remedy: string, level: 'fault' | 'warning' = 'fault') => ({
  check: expect.stringMatching(/./),
  level,
  found: expect.stringContaining(found),
  means: expect.stringMatching(/.{15}/),
  remedy: expect.stringContaining(remedy),
});
