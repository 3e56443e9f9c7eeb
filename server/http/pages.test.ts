import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const folder = mkdtempSync(join(tmpdir(), 'octroi-pages-'));
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(async () => {
  await portal.close();
  rmSync(folder, { recursive: true });
});

async function serve(script: string) {
  writeFileSync(join(folder, 'index.html'), `<head><!--portal-config--><script>${script}</script></head>`);
  const app = await buildApp(portal.portal, { pagesFolder: folder });
  const { body, headers } = await app.inject({ url: '/login' });
  await app.close();
  const policy = String(headers['content-security-policy']).split(';');
  return { body, sources: policy.find((each) => each.startsWith('script-src '))?.split(' ') ?? [] };
}

test.each([
  '/.env',
  '/.git/config',
  '/.well-known/security.txt',
  '/.well-known/openid-configuration',
  '/a/.htaccess',
  '/favicon.ico',
  '/sitemap.xml',
])('there is no page at %s', async (path) => {
  writeFileSync(join(folder, 'index.html'), '<head><!--portal-config--></head>');
  const app = await buildApp(portal.portal, { pagesFolder: folder });
  expect((await app.inject({ url: path })).statusCode).toBe(404);
  expect((await app.inject({ url: '/usage' })).statusCode).toBe(200);
  await app.close();
});

test('scripts of Google and Razorpay are named by their paths, not by their hosts', async () => {
  const settings = {
    ...portal.portal.settings,
    googleScriptUrl: 'https://accounts.google.com/gsi/client',
    razorpayCheckoutUrl: 'https://checkout.razorpay.com/v1/checkout.js',
  };
  const app = await buildApp({ ...portal.portal, settings });
  const { headers } = await app.inject({ url: '/backend/health' });
  await app.close();
  const policy = String(headers['content-security-policy']).split(';');
  const sourcesOf = (directive: string) =>
    policy
      .find((each) => each.startsWith(`${directive} `))
      ?.split(' ')
      .slice(1);
  expect(sourcesOf('script-src')).toEqual([
    "'self'",
    'https://accounts.google.com/gsi/client',
    'https://checkout.razorpay.com/v1/',
    'https://cdn.razorpay.com',
  ]);
  expect(sourcesOf('style-src')).toEqual(["'self'", "'unsafe-inline'", 'https://accounts.google.com/gsi/style']);
  expect(sourcesOf('frame-src')).toContain('https://accounts.google.com/gsi/');
  expect(policy.join(';')).not.toMatch(/accounts\.google\.com[ ;]/);
});

test('a path that cannot be decoded is refused, with security headers', async () => {
  const response = await fetch(`${portal.portalUrl}/backend/%zz`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});

test.each([
  ['host', 'max-age=63072000'],
  ['subdomains', 'max-age=63072000; includeSubDomains'],
  ['preload', 'max-age=63072000; includeSubDomains; preload'],
] as const)('HSTS=%s sends no more than what was configured', async (hsts, promised) => {
  const settings = { ...portal.portal.settings, portalUrl: 'https://portal.example', hsts };
  const app = await buildApp({ ...portal.portal, settings });
  const { headers } = await app.inject({ url: '/backend/account' });
  expect(headers['strict-transport-security']).toBe(promised);
  await app.close();
});

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

test('the content security policy allows the page’s own script by its hash, and no other inline script', async () => {
  const { body, sources } = await serve('document.title = "é";');
  const inline = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? '');
  expect(inline).toHaveLength(1);
  expect(sources.filter((source) => source.startsWith("'sha256-"))).toEqual(inline.map(hashOf));
  expect(sources).not.toContain("'unsafe-inline'");
  expect(sources).not.toContain("'unsafe-eval'");
  expect(sources).not.toContain(hashOf('document.title = "another";'));
});

test('the console has a page of its own below /operator, whose script is allowed too', async () => {
  const console = 'document.title = "console";';
  writeFileSync(join(folder, 'operator.html'), `<head><!--portal-config--><script>${console}</script></head>`);
  const { body, sources } = await serve('document.title = "portal";');
  expect(body).toContain('"portal"');
  expect(sources).toEqual(expect.arrayContaining([hashOf(console), hashOf('document.title = "portal";')]));
  const app = await buildApp(portal.portal, { pagesFolder: folder });
  const pageAt = async (url: string) => (await app.inject({ url })).body;
  for (const url of ['/operator', '/operator/customers/CUS-1?tab=keys']) {
    expect(await pageAt(url)).toContain('"console"');
    expect(await pageAt(url)).toContain('portal-config');
  }
  expect(await pageAt('/operators')).toContain('"portal"');
  expect((await app.inject({ method: 'POST', url: '/operator' })).statusCode).toBe(404);
  await app.close();
  rmSync(join(folder, 'operator.html'));
});

test('a page comes rendered, with the brand, in both languages, and with the styles of what it shows', async () => {
  const built = join(folder, 'build');
  for (const name of ['web', 'served-pages/assets']) mkdirSync(join(built, name), { recursive: true });
  const render = `
    export const paths = ['/login', '/api/:id'];
    export const renderPage = async (path, { providerName }, now) =>
      ({ en: \`<b>\${path} of \${providerName} at \${now}</b>\`, hi: "$& हिन्दी" });`;
  writeFileSync(join(built, 'served-pages/render.js'), render);
  writeFileSync(join(built, 'served-pages/assets/style.css'), 'b{color:red}i{color:blue}');
  for (const name of ['index.html', 'login.html'])
    writeFileSync(join(built, 'web', name), '<head><!--critical-css--></head><!--served-en--><p><!--served-hi--></p>');
  const app = await buildApp(portal.portal, { pagesFolder: join(built, 'web') });
  const pageAt = async (url: string) => (await app.inject({ url })).body;
  const { providerName } = portal.portal.settings;
  const login = await pageAt('/login?redirect=%2Fbilling');
  expect(login).toContain(`<b>/login of ${providerName} at 20`);
  expect(login).toContain('<style>b{color:red}</style>');
  expect(login).toContain('<p>$& हिन्दी</p>');
  expect(await pageAt('/api/ACT-1')).toContain(`<b>/api/:id of ${providerName}`);
  expect(await pageAt('/api/ACT-1/more')).not.toContain('<b>');
  await app.close();
});

test('another build’s script gets another hash', async () => {
  const { sources } = await serve('document.title = "another";');
  expect(sources).toContain(hashOf('document.title = "another";'));
  expect(sources).not.toContain(hashOf('document.title = "é";'));
});
