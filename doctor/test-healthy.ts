import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { verifyLedger, verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { joinPortals } from '#server/portal-presence.ts';
import { startMailServer } from '#server/features/mail/test-mail-server.ts';
import { listeningPort, spawnTestGateway, type TestGateway } from '#server/test/gateway.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startStandins } from '#ship/standins/standins.ts';

/** Everything that a trial has, as processes and servers: the doctor has nothing to complain about. */
export interface HealthyInstallation {
  env: Record<string, string>;
  envFile: string;
  folder: string;
  portal: TestPortal;
  /** What the API behind the gateway does from now on; by default it responds with 200. */
  apiResponds: (listener?: RequestListener) => void;
  /** Another gateway of the same database. */
  startGateway: (env: Readonly<Record<string, string>>) => Promise<TestGateway>;
  /** The address of one that trusts what is on this machine, until the installation closes. */
  trustingGateway: () => Promise<string>;
  close: () => Promise<void>;
}

const whole: RequestListener = (_req, res) => void res.end('{}');

export async function startHealthyInstallation(): Promise<HealthyInstallation> {
  const closing: (() => unknown)[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'octroi-healthy-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const catalogDir = join(dataDir, 'catalog');
  cpSync(changedCatalog({ 'tax-lookup-api': { 'gateway.health.path': '/health' } }), catalogDir, { recursive: true });
  let respond = whole;
  const api = createServer((req, res) => respond(req, res));
  const port = await listeningPort(api);
  closing.push(() => {
    api.closeAllConnections();
    api.close();
  });
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
  closing.push(() => portal.close());
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
  closing.push(() => gateway.stop());
  const gsp = await startStandins({
    dataDir: join(folder, 'standins'),
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
  closing.push(() => gsp.close());
  const mail = await startMailServer();
  closing.push(() => mail.close());
  cpSync(projectFolder('ship', 'standins', 'brand'), join(dataDir, 'brand'), { recursive: true });
  const envFile = join(folder, 'octroi.env');
  writeFileSync(envFile, 'SUPPORT_HOURS=10 to 6\n', { mode: 0o600 });
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
  const presence = await joinPortals(portal.portal.db, env, portal.portal.log);
  closing.push(presence.stop);
  const startAnother = (changed: Readonly<Record<string, string>>) =>
    spawnTestGateway({ ...given, DATA_DIR: mkdtempSync(join(folder, 'gateway-')), ...changed });
  const startTrusting = async (): Promise<string> => {
    const another = await startAnother({ TRUSTED_PROXIES: '127.0.0.1' });
    closing.push(another.stop);
    return another.url;
  };
  let trusting: Promise<string> | undefined;
  return {
    env,
    envFile,
    folder,
    portal,
    apiResponds: (listener = whole) => {
      respond = listener;
    },
    startGateway: startAnother,
    trustingGateway: () => (trusting ??= startTrusting()),
    close: async () => {
      for (const close of closing.toReversed()) await close();
    },
  };
}
