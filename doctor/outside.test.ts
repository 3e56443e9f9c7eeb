import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createNet, type Server } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startMailServer } from '#server/features/mail/test-mail-server.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startMailbox } from '#ship/standins/mailbox/mailbox.ts';
import { startStandins, type Standins } from '#ship/standins/standins.ts';
import { examineOnly, problem, productionEnv, temporaryFolder } from './test-installation.ts';
import { serveUntrusted } from './test-planting.ts';

let portal: TestPortal;
let env: Record<string, string>;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  const { settings } = portal.portal;
  env = {
    DATABASE_URL: settings.databaseUrl,
    PORTAL_URL: settings.portalUrl,
    GOOGLE_CLIENT_ID: settings.googleClientId,
    GOOGLE_JWKS_URL: settings.googleJwksUrl,
    GOOGLE_SCRIPT_URL: settings.googleScriptUrl,
    RAZORPAY_KEY_ID: settings.razorpayKeyId,
    RAZORPAY_KEY_SECRET: settings.razorpayKeySecret,
    RAZORPAY_WEBHOOK_SECRET: settings.razorpayWebhookSecret,
    RAZORPAY_API_URL: settings.razorpayApiUrl,
  };
});
afterAll(() => portal.close());

const nobody = 'http://127.0.0.1:10';
const gatewayAt = (GATEWAY_URL: string) => examineOnly('gateway-address', { ...env, GATEWAY_URL });
const mailAt = (SMTP_URL: string) => examineOnly('mail', { ...env, SMTP_URL });
const later = (days: number) => () => Date.now() + days * 86_400_000;

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return z.object({ port: z.number() }).parse(server.address()).port;
}

const serve = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await portOf(createHttp(listener))}`;

test('names that another program, nobody, or the portal of another installation answers at the public address', async () => {
  expect(await examineOnly('portal-address', env)).toMatchObject([{ level: 'ok' }]);
  const check = (PORTAL_URL: string) => examineOnly('portal-address', { ...env, PORTAL_URL });
  expect(await check('http://127.0.0.1:1')).toContainEqual(problem('Nothing answers', 'Start the portal'));
  expect(await check(await serve((_req, res) => void res.end('<h1>Welcome to nginx')))).toContainEqual(
    problem('not as the portal does', 'every path'),
  );
  const other = await createTestDatabase();
  try {
    const findings = await examineOnly('portal-address', { ...env, DATABASE_URL: other.databaseUrl });
    expect(findings).toContainEqual(problem('another database', 'DATABASE_URL'));
  } finally {
    await other.close();
  }
});

test('names a gateway that is down or failing', async () => {
  expect(await gatewayAt(nobody)).toContainEqual(problem('Nothing answers', 'Start the gateway'));
  const failing = await serve((_req, res) => {
    res.writeHead(503, { 'content-type': 'application/json' });
    res.end('{"status":"failing","faults":["the journal cannot be written"]}');
  });
  expect(await gatewayAt(failing)).toContainEqual(problem('the journal cannot be written', 'log'));
  expect(await gatewayAt(await serve((_req, res) => void res.end('hello')))).toContainEqual(
    problem('not as the gateway does', 'nginx'),
  );
});

test('names a certificate that has ended, ends soon, or is not trusted, and an address without TLS', async () => {
  const at = { ...env, PORTAL_URL: await serveUntrusted() };
  expect(await examineOnly('tls', at)).toContainEqual(problem('is not trusted', 'fullchain.pem'));
  expect(await examineOnly('tls', at, { now: later(101) })).toContainEqual(problem('ended on', 'Renew'));
  const plain = await serve((_req, res) => void res.end());
  expect(await examineOnly('tls', { ...env, PORTAL_URL: plain.replace('http:', 'https:') })).toContainEqual(
    problem('No TLS', 'tls.conf'),
  );
  expect(await examineOnly('tls', env)).toMatchObject([{ level: 'unchecked' }]);
});

test('names proxies that are not trusted, and trust in everyone', async () => {
  expect(await examineOnly('proxies', { ...productionEnv, TRUSTED_PROXIES: '' })).toContainEqual(
    problem('is empty', 'Set TRUSTED_PROXIES'),
  );
  const all = { ...productionEnv, TRUSTED_PROXIES: '0.0.0.0/0' };
  expect(await examineOnly('proxies', all)).toContainEqual(problem('trusts everyone', 'your own proxies'));
  expect(await examineOnly('proxies', env)).toMatchObject([{ level: 'ok' }]);
});

test('names what Google refuses: an origin without https, a wrong client id, keys that cannot be read', async () => {
  expect(await examineOnly('google', env)).toMatchObject([{ level: 'ok' }]);
  const check = (more: object) => examineOnly('google', { ...env, ...more });
  expect(await check({ PORTAL_URL: 'http://portal.octroi.in' })).toContainEqual(problem('does not accept', 'TLS'));
  expect(await check({ PORTAL_URL: 'https://portal.octroi.in/customers' })).toContainEqual(
    problem('has a path', 'https://portal.octroi.in'),
  );
  expect(await check({ GOOGLE_CLIENT_ID: 'GOCSPX-secret' })).toContainEqual(
    problem('no OAuth client id', 'Web application'),
  );
  expect(await check({ GOOGLE_JWKS_URL: nobody })).toContainEqual(
    problem('public keys cannot be read', 'www.googleapis.com'),
  );
});

test('names Razorpay’s refusal, the wrong mode of the keys, and that it cannot be reached', async () => {
  expect(await examineOnly('razorpay-keys', env)).toMatchObject([{ level: 'ok' }]);
  const check = (more: object, isTimed = false) =>
    examineOnly('razorpay-keys', { ...env, ...more }, { isTimed, now: Date.now });
  for (const isTimed of [false, true])
    expect(await check({ RAZORPAY_KEY_SECRET: 'not-the-secret' }, isTimed)).toContainEqual(
      problem('Authentication failed', 'Make a new pair'),
    );
  expect(await check({ NODE_ENV: 'production' })).toContainEqual(problem('is a test key', 'live mode'));
  expect(await check({ RAZORPAY_KEY_ID: 'rzp_live_AAAAAAAAAAAAAA' })).toContainEqual(
    problem('is a live key', 'test key'),
  );
  expect(await check({ RAZORPAY_API_URL: nobody })).toContainEqual(problem('cannot be reached', 'api.razorpay.com'));
});

test.each([
  ['one order of ₹1', 'razorpay-keys', '/orders?receipt=octroi-doctor&count=100', {}],
  ['one closed account number', 'razorpay-transfers', '/virtual_accounts?count=100', { BANK_TRANSFERS: 'yes' }],
])(
  'a timer leaves %s a day at Razorpay, and a person at the terminal one each time',
  async (_what, check, path, more) => {
    const made = async () => {
      const headers = { authorization: `Basic ${btoa(`${env['RAZORPAY_KEY_ID']}:${env['RAZORPAY_KEY_SECRET']}`)}` };
      const response = await fetch(`${env['RAZORPAY_API_URL']}${path}`, { headers });
      const { items } = z.object({ items: z.array(z.object({ status: z.string() })) }).parse(await response.json());
      expect(items.map(({ status }) => status)).not.toContain('active');
      return items.length;
    };
    const settings = { ...env, ...more };
    await examineOnly(check, settings);
    const before = await made();
    const timed = (now = Date.now) => examineOnly(check, settings, { isTimed: true, now });
    expect(await timed()).toMatchObject([{ level: 'ok' }]);
    expect(await made()).toBe(before);
    await timed(() => Date.now() + 25 * 3_600_000);
    expect(await made()).toBe(before + 1);
    await examineOnly(check, settings);
    expect(await made()).toBe(before + 2);
  },
);

test('names a webhook secret that the running portal does not have, and webhooks that do not arrive', async () => {
  const findings = await examineOnly('razorpay-webhook', env);
  expect(findings).toMatchObject([{ level: 'ok' }]);
  const changed = await examineOnly('razorpay-webhook', { ...env, RAZORPAY_WEBHOOK_SECRET: 'whsec_changed' });
  expect(changed).toContainEqual(problem('another RAZORPAY_WEBHOOK_SECRET', 'Restart the portals'));
  await portal.behave({ webhooks: { signWith: 'wrong' } });
  await (await newBuyer(portal)).buy(0);
  expect(await examineOnly('razorpay-webhook', env)).toContainEqual(
    problem('no webhook about one was accepted', 'set the secret again'),
  );
  await portal.behave({});
});

test('names a mail server that is away, refuses the password, or has no TLS', async () => {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  expect(await mailAt(`smtp://127.0.0.1:${server.port}`)).toMatchObject([{ level: 'ok' }]);
  expect(await mailAt('smtp://127.0.0.1:10')).toContainEqual(problem('ECONNREFUSED', 'SMTP_URL'));
  // Another spelling of the same address, which does not count as this machine.
  expect(await mailAt(`smtp://127.1:${server.port}`)).toContainEqual(problem('offers no TLS', 'smtps://'));
  const port = await portOf(
    createNet((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const line = data.toString();
        if (/^EHLO/i.test(line)) socket.write('250-test\r\n250 AUTH PLAIN\r\n');
        else if (/^AUTH/i.test(line)) socket.write('535 5.7.8 Username and Password not accepted\r\n');
        else socket.end('221 bye\r\n');
      });
      socket.write('220 test\r\n');
    }),
  );
  expect(await mailAt(`smtp://me:wrong@127.0.0.1:${port}`)).toContainEqual(problem('not accepted', 'password'));
  expect(await examineOnly('mail', productionEnv)).toContainEqual(problem('SMTP_URL is not set', 'mail.md'));
});

test('names a mailbox of support that is away, refuses the password, or has no such folder', async () => {
  const mailbox = await startMailbox({ user: 'replies', password: 'p@ss/word' });
  onTestFinished(() => mailbox.close());
  const look = (supportInbox: string) =>
    examineOnly('support-inbox', {
      ...env,
      SUPPORT_INBOX: supportInbox,
      SUPPORT_REPLY_ADDRESS: 'support@kaveri.example.in',
    });
  const at = `127.0.0.1:${new URL(mailbox.url).port}`;
  expect(await look(mailbox.url)).toMatchObject([{ level: 'ok' }]);
  expect(await look(`imap://replies:wrong@${at}/INBOX`)).toEqual([
    problem('cannot be read: Invalid user or password.', 'SUPPORT_INBOX'),
  ]);
  expect(await look(mailbox.url.replace('INBOX', 'Support%20replies'))).toEqual([
    problem("cannot be read: Mailbox doesn't exist: Support replies.", 'SUPPORT_INBOX'),
  ]);
  expect(await look('imap://a:b@127.0.0.1:9/INBOX')).toEqual([problem('ECONNREFUSED', 'SUPPORT_INBOX')]);
  expect(await examineOnly('support-inbox', env)).toMatchObject([{ level: 'unchecked' }]);
});

test('names a GSP that refuses the account or the login, and one that is away', async () => {
  const standins: Standins = await startStandins({
    dataDir: temporaryFolder(),
    google: { port: 0, clientId: 'x', issuer: 'https://accounts.google.com' },
    gstn: { port: 0, clientId: 'mine', clientSecret: 'right' },
    razorpay: { port: 0, keyId: 'rzp_test_LOCAL000000001', keySecret: 'x', webhookSecret: 'x', webhookUrl: nobody },
  });
  onTestFinished(() => standins.close());
  const gsp = { ...env, GSP_URL: standins.gstnUrl ?? '', GSP_CLIENT_ID: 'mine', GSP_CLIENT_SECRET: 'right' };
  expect(await examineOnly('gsp', gsp)).toMatchObject([{ level: 'ok' }]);
  expect(await examineOnly('gsp', { ...gsp, GSP_CLIENT_SECRET: 'wrong' })).toContainEqual(
    problem('The GSP refuses', 'GSP_CLIENT_SECRET'),
  );
  expect(await examineOnly('gsp', { ...gsp, GSP_URL: nobody })).toContainEqual(
    problem('cannot be used', 'status page'),
  );
});

test('names an API whose certificate is not trusted, with a remedy of its own', async () => {
  const untrusted = await serveUntrusted();
  const findings = await examineOnly('upstreams', { ...env, UPSTREAM_TAX_LOOKUP_API: untrusted });
  expect(findings).toContainEqual(problem('self-signed certificate', 'gateway.tls.ca'));
});

test('names an API behind the gateway that does not answer', async () => {
  const up = await serve((_req, res) => void res.writeHead(404).end());
  const findings = await examineOnly('upstreams', { ...env, UPSTREAM_TAX_LOOKUP_API: up });
  expect(findings).toContainEqual(problem('fact-service and map-tiles cannot be reached', 'UPSTREAM_FACT_SERVICE'));
  expect(findings).toContainEqual({ check: 'upstreams', level: 'ok', found: `tax-lookup-api answers at ${up}/.` });
});

const examineUpstream = async (url: string, more: Record<string, string> = {}) => {
  const both = { UPSTREAM_TAX_LOOKUP_API: url, SANDBOX_TAX_LOOKUP_API: url };
  const findings = await examineOnly('upstreams', { ...env, ...both, ...more });
  return findings.filter(({ found }) => found.includes('tax-lookup-api'));
};

test('names an API whose address is the gateway itself, and examines one beside it on the same host', async () => {
  const itself = problem('is that of the gateway itself', 'UPSTREAM_TAX_LOOKUP_API');
  const lost = { ...itself, means: expect.stringMatching(/404 \(path-unknown\).*counted.*lose quota/) };
  const beside = [expect.objectContaining({ found: expect.stringContaining('cannot be reached') })];

  expect(await examineUpstream('http://localhost:4100')).toEqual([lost]);
  expect(await examineUpstream('http://127.0.0.1:4100/tax-lookup')).toEqual([lost]);
  expect(await examineUpstream('http://127.0.0.1', { GATEWAY_PORT: '80' })).toEqual([lost]);

  const host = '127.0.0.2:4999';
  const at = { GATEWAY_URL: `https://${host}/api` };
  expect(await examineUpstream(`https://${host}/api`, at)).toEqual([lost]);
  expect(await examineUpstream(`https://${host}/api/`, at)).toEqual([lost]);
  for (const other of [
    `https://${host}/backend`,
    `https://${host}/apis`,
    `http://${host}/api`,
    `https://127.0.0.2:4998/api`,
  ])
    expect(await examineUpstream(other, at), other).toEqual(beside);
  expect(await examineUpstream('https://127.0.0.2/api', { GATEWAY_URL: 'https://127.0.0.2:443/api' })).toEqual([lost]);
});

test('recognises a gateway by its reply, and an API that a proxy serves below the address of the gateway', async () => {
  const problems: Record<string, string> = {
    '/nothing/': '{"code":"path-unknown"}',
    '/tax-lookup/': '{"code":"key-missing"}',
    '/other/': '{"code":"not-found"}',
    '/empty/': '',
    '/page/': '<html>',
    '/nothing/health': '{"status":"ok"}',
  };
  const url = await serve((req, res) => {
    res.writeHead(404, { 'content-type': 'application/problem+json' });
    const { [req.url ?? '']: body } = problems;
    // Without end.
    if (body === undefined) res.write('x'.repeat(100_000));
    else res.end(body);
  });
  const at = { GATEWAY_URL: url };
  const itself = problem('is that of the gateway itself', 'UPSTREAM_TAX_LOOKUP_API');
  expect(await examineUpstream(`${url}/nothing`, at)).toEqual([itself]);
  expect(await examineUpstream(`${url}/tax-lookup`, at)).toEqual([itself]);
  // Another provider's, perhaps.
  expect(await examineUpstream(`${url}/tax-lookup`)).toEqual([
    problem('a gateway of Octroi answers', 'UPSTREAM_TAX_LOOKUP_API', 'warning'),
  ]);
  // A gateway has a health of its own.
  const CATALOG_DIR = changedCatalog({ 'tax-lookup-api': { 'gateway.health.path': '/health' } });
  expect(await examineUpstream(`${url}/nothing`, { ...at, CATALOG_DIR })).toEqual([itself]);
  expect(await examineUpstream(`${url}/other`, { ...at, CATALOG_DIR })).toMatchObject([{ level: 'ok' }]);
  for (const path of ['other', 'empty', 'page', 'endless'])
    expect(await examineUpstream(`${url}/${path}`, at), path).toMatchObject([{ level: 'ok' }]);
});
