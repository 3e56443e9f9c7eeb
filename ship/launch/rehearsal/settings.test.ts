import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { envName } from '#shared/platform/read-config.ts';
import { allSettings } from '#ship/launch/settings.ts';
import { portsFrom } from './ports.ts';
import { notTaken, openSecrets, rehearsalEnv } from './settings.ts';

const placeIn = async (folder: string) => ({
  folder,
  dataDir: join(folder, 'data'),
  ports: portsFrom(4440),
  secrets: await openSecrets(folder),
});

/** Hosts, ports and places; accounts and keys; logs and traces; what stand-ins and development alone have. */
const leftOut =
  /_(?:HOST|PORT|URL|DIR|PLACE|REGION|ENDPOINT)$|^(?:SIGNING|DOCUMENTS_S3|REQUEST_LOG_COLD_S3|E_INVOICE|OTEL|BACKUP)_|^SUPPORT_(?:INBOX|REPLY_ADDRESS)$|^(?:GSP_TIMEOUT_MS|GOOGLE_ISSUERS|LOG_LEVEL|ACCESS_LOG|VERBOSE|STANDINS|WEBHOOKS_TO_LOOPBACK|HSTS|NODE_SHORTCUTS)$/;

test('each setting has a part in a rehearsal, or is a place or an account that it can’t take', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-rehearsal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const given = Object.fromEntries([...allSettings().keys()].map((setting) => [envName(setting), '1']));
  const env = await rehearsalEnv(await placeIn(folder), given);
  expect(notTaken(env, given).filter((name) => !leftOut.test(name))).toEqual([]);
});

test('a rehearsal takes the rules and limits of the operator, has stand-ins for accounts, and names what it can’t take', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-rehearsal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const place = await placeIn(folder);
  const own = {
    OPERATOR_APPROVAL_RUPEES: '1000',
    OPERATOR_SEE_AS: 'no',
    KEEP_MAILS_DAYS: '500',
    RENEWALS: 'no',
    ACCOUNTANT_EMAIL: 'books@kaveri.example',
    MAX_BODY_BYTES: '2048',
    SUPPLIER_NAME: 'Kaveri APIs Private Limited',
  };
  const given = {
    ...own,
    RAZORPAY_KEY_ID: 'rzp_live_1',
    SIGNING_CERTIFICATE: '/etc/octroi/signing.p12',
    DOCUMENTS_PLACE: 's3://papers',
    DATABASE_URL: 'postgres://production',
    HOME: '/root',
  };
  const env = await rehearsalEnv(place, given);
  expect(env).toMatchObject(own);
  expect(env['RAZORPAY_KEY_ID']).not.toBe('rzp_live_1');
  expect(notTaken(env, given)).toEqual(['DATABASE_URL', 'SIGNING_CERTIFICATE', 'DOCUMENTS_PLACE']);
});
