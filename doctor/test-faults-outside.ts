import { createServer as createTcpServer } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { portalConfigElement } from '#shared/contract/portal-config.ts';
import { payTicked } from '#server/features/renewals/test-consent.ts';
import { listeningPort } from '#server/test/gateway.ts';
import type { TestPortal } from '#server/test/portal.ts';
import {
  anotherGateway,
  behindProxy,
  nobody,
  type PlantedRow,
  proxyOf,
  serve,
  serveUntrusted,
} from './test-planting.ts';

async function renewing(portal: TestPortal): Promise<void> {
  const { read } = await payTicked(portal);
  await expect.poll(async () => (await read()).mandate?.state).toBe('IN_FORCE');
}

/** Faults between a customer and the APIs, Razorpay and the GST portals. */
export const outsideRows: readonly PlantedRow[] = [
  [
    'a gateway started alone sends calls to the catalogue’s address, where no API is',
    (healthy) => anotherGateway(healthy, { UPSTREAM_TAX_LOOKUP_API: nobody }),
    'upstreams',
    'A call of tax-lookup-api through the gateway',
    'UPSTREAM_TAX_LOOKUP_API',
  ],
  [
    'an API has a certificate that its gateway does not trust',
    async (healthy) => anotherGateway(healthy, { UPSTREAM_TAX_LOOKUP_API: await serveUntrusted() }),
    'upstreams',
    'self-signed certificate',
    'gateway.tls.ca',
  ],
  [
    'a gateway’s sandbox is down',
    (healthy) => anotherGateway(healthy, { SANDBOX_TAX_LOOKUP_API: nobody }),
    'upstreams',
    'A call of the sandbox of tax-lookup-api',
    'SANDBOX_',
  ],
  [
    'a gateway’s address of an API leads to another gateway',
    async (healthy) => anotherGateway(healthy, { UPSTREAM_TAX_LOOKUP_API: healthy.env['GATEWAY_URL'] ?? '' }),
    'upstreams',
    'is that of the gateway itself',
    'UPSTREAM_TAX_LOOKUP_API',
  ],
  [
    'the APIs respond with 500',
    (healthy) => {
      healthy.apiResponds((_req, res) => void res.writeHead(500).end());
      return {};
    },
    'upstreams',
    'with 500',
    'log of that API',
  ],
  [
    'the APIs never respond',
    (healthy) => {
      healthy.apiResponds(() => undefined);
      return {};
    },
    'upstreams',
    'does not come back',
    'Start that API',
  ],
  [
    'the APIs refuse the gateway’s credentials',
    (healthy) => {
      healthy.apiResponds((_req, res) => void res.writeHead(401).end());
      return {};
    },
    'upstreams',
    'refuses the gateway',
    'gateway.credentials',
  ],
  [
    'the proxy takes the header Authorization away',
    async (healthy) => ({
      GATEWAY_URL: await proxyOf(healthy.env['GATEWAY_URL'] ?? '', (headers) => headers.delete('authorization')),
    }),
    'upstreams',
    'The header Authorization does not arrive',
    'tls.conf',
  ],
  [
    'the port of the mail server begins with TLS, and the setting does not',
    async () => {
      const waiting = createTcpServer((socket) => void socket.on('error', () => undefined));
      const port = await listeningPort(waiting);
      onTestFinished(() => void waiting.close());
      return { SMTP_URL: `smtp://127.0.0.1:${port}` };
    },
    'mail',
    'refuses us',
    'smtps://',
  ],
  [
    'the proxy sets no X-Forwarded-For',
    (healthy) => behindProxy(healthy, (headers) => headers.delete('x-forwarded-for')),
    'upstreams',
    'sets no X-Forwarded-For',
    'proxy_set_header',
  ],
  [
    'the proxy passes the X-Forwarded-For of callers on',
    (healthy) => behindProxy(healthy, () => undefined),
    'upstreams',
    'passes X-Forwarded-For on as callers send it',
    'proxy_set_header',
  ],
  [
    'the proxy is not among the trusted ones',
    async ({ env }) => ({
      GATEWAY_URL: await proxyOf(env['GATEWAY_URL'] ?? '', (headers) => headers.set('x-forwarded-for', '192.0.2.1')),
    }),
    'upstreams',
    'which TRUSTED_PROXIES does not list',
    'TRUSTED_PROXIES',
  ],
  [
    'the proxy in front of the gateway refuses bodies that the gateway takes',
    (healthy) => behindProxy(healthy, () => undefined, { maxBodyBytes: 500_000 }),
    'upstreams',
    'refuses a body of 1048576 bytes',
    'client_max_body_size',
  ],
  [
    'the proxy in front of the portal refuses the letters of customers',
    async ({ env }) => ({
      PORTAL_URL: await proxyOf(env['PORTAL_URL'] ?? '', () => undefined, undefined, { maxBodyBytes: 100_000 }),
    }),
    'upstreams',
    'refuses a body of',
    'client_max_body_size',
  ],
  [
    'the proxy takes fewer headers than the gateway',
    (healthy) => behindProxy(healthy, () => undefined, { maxHeadBytes: 8192 }),
    'upstreams',
    'refuses 14336 bytes of headers with 431',
    'large_client_header_buffers',
  ],
  [
    'the proxy does not wait for the slowest API',
    async (healthy) => ({ ...(await behindProxy(healthy, () => undefined, { readTimeoutMs: 1500 })), isSlow: 'yes' }),
    'upstreams',
    's with 504',
    'proxy_read_timeout',
  ],
  [
    'a gateway of another database answers at GATEWAY_URL',
    async () => ({
      GATEWAY_URL: await serve((req, res) => {
        res.writeHead(req.url === '/health' ? 200 : 401, { 'content-type': 'application/problem+json' });
        res.end(req.url === '/health' ? '{"status":"ok"}' : '{"code":"key-invalid"}');
      }),
    }),
    'upstreams',
    'A gateway of another database answers',
    'DATABASE_URL',
  ],
  [
    'the supplier’s own GSTIN is unknown to the GST portal',
    () => ({ SUPPLIER_GSTIN: '32ZZZCA0001A1ZD' }),
    'gsp',
    'says of your own GSTIN 32ZZZCA0001A1ZD: unknown',
    'SUPPLIER_GSTIN',
  ],
  [
    'the supplier’s own GSTIN is unknown to the invoice portal',
    () => ({ SUPPLIER_GSTIN: '32ZZZCA0001A1ZD', E_INVOICE_USER: 'kaveri', E_INVOICE_PASSWORD: 'a-password' }),
    'gsp',
    'The invoice portal says of your own GSTIN',
    'accountant',
  ],
  [
    'a password for e-invoices is left over without its user',
    () => ({ E_INVOICE_PASSWORD: 'a-password' }),
    'gsp',
    'E_INVOICE_PASSWORD is set, and E_INVOICE_USER is not',
    'delete E_INVOICE_PASSWORD',
  ],
  [
    'the keys may read orders and make none',
    async () => ({
      RAZORPAY_API_URL: await serve((req, res) => {
        res.writeHead(req.method === 'GET' ? 200 : 400, { 'content-type': 'application/json' });
        res.end('{"error":{"description":"Your account has not been activated."}}');
      }),
    }),
    'razorpay-keys',
    'has not been activated',
    'activation of the account',
  ],
  [
    'the secret of Razorpay’s webhook was changed, and the portal runs on',
    () => ({ RAZORPAY_WEBHOOK_SECRET: 'whsec_another_one' }),
    'razorpay-webhook',
    'another RAZORPAY_WEBHOOK_SECRET',
    'Restart the portals',
  ],
  [
    'Razorpay takes no recurring payments from the account',
    async ({ portal }) => {
      await portal.behave({ mandates: { active: false } });
      onTestFinished(() => void portal.behave({}));
      return {};
    },
    'razorpay-renewals',
    'The recurring feature is not enabled on your account',
    'RENEWALS=no',
  ],
  [
    'the events of mandates are not ticked at Razorpay',
    async ({ portal }) => {
      await portal.behave({ webhooks: { enabled: false } });
      onTestFinished(() => void portal.behave({}));
      await renewing(portal);
      return {};
    },
    'razorpay-renewals',
    'no event of one arrived',
    'tick token.confirmed, token.rejected, token.paused, token.cancelled',
  ],
  [
    'renewals are turned off while customers have mandates',
    async ({ portal }) => {
      await renewing(portal);
      return { RENEWALS: 'no' };
    },
    'razorpay-renewals',
    'RENEWALS is no, and',
    'RENEWALS=yes',
  ],
  [
    'Smart Collect is not switched on for the account',
    async ({ portal }) => {
      await portal.behave({ smartCollect: false });
      onTestFinished(() => void portal.behave({}));
      return { BANK_TRANSFERS: 'yes' };
    },
    'razorpay-transfers',
    'Smart Collect is not enabled',
    'BANK_TRANSFERS=no',
  ],
  [
    'the client id of Google was changed, and the portal runs on',
    async (healthy) => {
      const config = {
        gatewayUrl: healthy.env['GATEWAY_URL'],
        checkoutKeyId: healthy.env['RAZORPAY_KEY_ID'],
        googleClientId: 'old',
      };
      const page = `<script type="application/json" id="${portalConfigElement}">${JSON.stringify(config)}</script>`;
      return {
        PORTAL_URL: await proxyOf(
          healthy.env['PORTAL_URL'] ?? '',
          () => undefined,
          (_req, res) => void res.end(page),
        ),
      };
    },
    'portal-address',
    'another GOOGLE_CLIENT_ID',
    'Restart the portals',
  ],
];
