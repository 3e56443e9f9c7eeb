import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '#platform/project-folder.ts';
import { verifyLedger, verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { listeningPort, spawnTestGateway } from '#server/test-gateway.ts';
import { startMailServer } from '#server/features/mail/test-mail-server.ts';
import { startTestPortal } from '#server/test-portal.ts';
import { startStandins } from '#standins/standins.ts';
import { checks, examine, type NamedFinding } from './examine.ts';
import { withInstallation } from './installation.ts';
import { settingsFile, temporaryFolder } from './test-installation.ts';

test('a healthy installation has no complaint, whichever check looks', async () => {
  const dataDir = temporaryFolder();
  const catalogDir = join(dataDir, 'catalog');
  cpSync(projectFolder('standins', 'catalog'), catalogDir, { recursive: true });
  const api = createServer((_req, res) => void res.end('{}'));
  const port = await listeningPort(api);
  onTestFinished(() => void api.close());
  for (const name of readdirSync(catalogDir).filter((each) => each.endsWith('.yaml'))) {
    const file = join(catalogDir, name);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(
        /https?:\/\/(127\.0\.0\.1:\d+|parcels\.example)/g,
        `http://127.0.0.1:${port}`,
      ),
    );
  }
  const portal = await startTestPortal({ rounds: true, catalogDir });
  onTestFinished(() => portal.close());
  const { settings } = portal.portal;
  await verifyLedger(portal.portal);
  await verifyWholeLedger(portal.portal);
  const given = {
    DATABASE_URL: settings.databaseUrl,
    DATA_DIR: dataDir,
    CATALOG_DIR: catalogDir,
    UPSTREAM_TAX_LOOKUP_API: `http://127.0.0.1:${port}`,
    UPSTREAM_INVOICING_SYSTEM: `http://127.0.0.1:${port}`,
    INVOICING_PORT: String(port),
    SANDBOX_TAX_LOOKUP_API: `http://127.0.0.1:${port}`,
    SANDBOX_INVOICING_SYSTEM: `http://127.0.0.1:${port}`,
  };
  const gateway = await spawnTestGateway(given);
  onTestFinished(() => gateway.stop());
  const gsp = await startStandins({
    dataDir: temporaryFolder(),
    google: { port: 0, clientId: 'x', issuer: 'https://accounts.google.com' },
    gstn: { port: 0, clientId: 'mine', clientSecret: 'right' },
    razorpay: {
      port: 0,
      keyId: 'rzp_test_LOCAL000000001',
      keySecret: 'x',
      webhookSecret: 'x',
      webhookUrl: 'http://localhost:1',
    },
  });
  onTestFinished(() => gsp.close());
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  cpSync(projectFolder('standins', 'brand'), join(dataDir, 'brand'), { recursive: true });
  const envFile = settingsFile('SUPPORT_HOURS=10 to 6\n');
  const env = {
    ...given,
    PORTAL_URL: settings.portalUrl,
    GATEWAY_URL: gateway.url,
    GOOGLE_CLIENT_ID: settings.googleClientId,
    GOOGLE_JWKS_URL: settings.googleJwksUrl,
    GOOGLE_SCRIPT_URL: settings.googleScriptUrl,
    RAZORPAY_KEY_ID: settings.razorpayKeyId,
    RAZORPAY_KEY_SECRET: settings.razorpayKeySecret,
    RAZORPAY_WEBHOOK_SECRET: settings.razorpayWebhookSecret,
    RAZORPAY_API_URL: settings.razorpayApiUrl,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    GSP_URL: gsp.gstnUrl ?? '',
    GSP_CLIENT_ID: 'mine',
    GSP_CLIENT_SECRET: 'right',
    BRAND_DIR: join(dataDir, 'brand'),
  };
  chmodSync(dataDir, 0o700);
  const findings: NamedFinding[] = [];
  await withInstallation({ env, envFile }, async (installation) => {
    // Side by side, the checks would hold each other up. One that a busy machine held up, which looks like a wrong clock, looks again.
    for (const check of checks) {
      let found: NamedFinding[] = [];
      const complaints = async () => {
        found = await examine(installation, [check]);
        return found.filter(({ level }) => level === 'fault' || level === 'warning');
      };
      await expect.poll(complaints).toEqual([]);
      findings.push(...found);
    }
  });
  expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(checks.map(({ name }) => name)));
  // What a trial doesn't have: TLS, a mailbox of support, a signing certificate, letters of undertaking, backups, users and an archive of the database.
  const unchecked = findings.filter(({ level }) => level === 'unchecked').map(({ check }) => check);
  expect(unchecked).toEqual([
    'database-durability',
    'database-user',
    'tls',
    'support-inbox',
    'signing-certificate',
    'letters',
    'backups',
    'wal-archive',
  ]);
});

test('docs/operating/troubleshooting.md lists every check with what it looks at', () => {
  const docs = readFileSync(projectFolder('docs', 'operating', 'troubleshooting.md'), 'utf8');
  const table = docs.slice(docs.indexOf('| check |'), docs.indexOf('\n\n', docs.indexOf('| check |')));
  expect(table.split('\n').slice(2)).toEqual(checks.map(({ name, about }) => `| \`${name}\` | ${about} |`));
});
