import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type PortalConfig, portalConfigElement } from '#shared/contract/portal-config.ts';
import { brandOf } from '#server/brand/brand.ts';
import { brandConfig, brandedHead } from '#server/brand/brand-page.ts';
import { shippedSupportHours } from '#server/config.ts';
import type { Portal } from '#server/portal.ts';
import { backendPath, policyOfPayPage } from './app.ts';
import { sendPrecompressed } from './precompressed.ts';
import { sendProblem } from './problems.ts';
import { openServedPages } from './served-pages.ts';

/** The entries of the build, each with the path below which every page is its file; the browser renders what the address says. */
const entries = [
  { file: 'operator.html', path: '/operator' },
  { file: 'login.html', path: '/login' },
  { file: 'pay.html', path: '/pay' },
  { file: 'index.html', path: '' },
];

/** The built pages. */
export interface BuiltPages {
  folder: string;
  entries: { path: string; html: string }[];
  /** Hashes of their inline scripts, for the content security policy. */
  inlineScripts: string[];
}

/** The built pages of a folder; undefined when there are none. */
export function readPages(folder: string): BuiltPages | undefined {
  const built = entries
    .filter(({ file }) => existsSync(join(folder, file)))
    .map(({ file, path }) => ({ path, html: readFileSync(join(folder, file), 'utf8') }));
  if (built.length === 0) return undefined;
  const inlineScripts = built.flatMap(({ html }) =>
    [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
      ([, script]) =>
        `'sha256-${createHash('sha256')
          .update(script ?? '')
          .digest('base64')}'`,
    ),
  );
  return { folder, entries: built, inlineScripts: [...new Set(inlineScripts)] };
}

/** Serves the built pages: files with a hash in their name are cached for ever, the pages themselves are revalidated each time. */
export async function servePages(
  app: FastifyInstance,
  portal: Portal,
  { folder, entries, inlineScripts }: BuiltPages,
): Promise<void> {
  const brand = brandOf(portal.settings);
  const config = portalConfig(portal);
  const pages = entries.map(({ path, html }) => ({ path, html: withConfig(brandedHead(html, brand), config) }));
  const serve = await openServedPages(folder, portal, config);
  const ofPayPage = payPageHeaders(portal, inlineScripts);
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    // The build writes .br and .gz files next to those that get smaller.
    preCompressed: true,
    globIgnore: ['**/*.br', '**/*.gz'],
    // Its own header would replace the one below.
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, 'assets') + sep);
      // A shared cache must not give a compressed response to a client that cannot read it.
      reply.setHeader('vary', 'accept-encoding');
      reply.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.setNotFoundHandler(async (request, reply) => {
    const address = request.url.split('?')[0] ?? '';
    const wantsPage = (request.method === 'GET' || request.method === 'HEAD') && !isFileOrCall(address);
    const found = wantsPage && pages.find(({ path }) => address === path || address.startsWith(`${path}/`));
    if (!found) return sendProblem(reply, 'not_found');
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    if (found.path === '/pay') reply.headers(ofPayPage);
    return sendPrecompressed(request, reply, await serve(found.html, address));
  });
}

/**
 * Its address never holds its secret, which stands behind the `#`. The provider compares the portal's origin with the registered website, so that much
 * of it is sent (decision 077).
 */
const payPageHeaders = (portal: Portal, inlineScripts: readonly string[]) => ({
  'content-security-policy': policyOfPayPage(portal, inlineScripts),
  'referrer-policy': 'strict-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
});

function isFileOrCall(path: string): boolean {
  // No page begins with a dot: scanners ask for /.env and /.well-known/… and would report a page as a finding.
  const isHidden = path.includes('/.');
  // And none is a file beside the page, such as /favicon.ico.
  const isFile = /^\/[^/]+\.[a-z]+$/i.test(path);
  return (
    isHidden || isFile || path === backendPath || path.startsWith(`${backendPath}/`) || path.startsWith('/assets/')
  );
}

function withConfig(html: string, config: PortalConfig): string {
  // A `<` in a setting could close the script element.
  const json = JSON.stringify(config).replaceAll('<', String.raw`\u003c`);
  return html.replace(
    '<!--portal-config-->',
    () => `<script type="application/json" id="${portalConfigElement}">${json}</script>`,
  );
}

/** What the pages need to know of this installation. */
export function portalConfig({ settings }: Portal): PortalConfig {
  return {
    brand: brandConfig(brandOf(settings), settings.publicPages),
    backendUrl: backendPath,
    gatewayUrl: settings.gatewayUrl,
    providerName: settings.providerName,
    googleClientId: settings.googleClientId,
    googleScriptUrl: settings.googleScriptUrl,
    checkoutKeyId: settings.razorpayKeyId,
    bankTransfers: settings.bankTransfers,
    checkoutScriptUrl: settings.razorpayCheckoutUrl,
    support: { email: settings.supportEmail, phone: settings.supportPhone, hours: supportHours(settings) },
    publicPages: settings.publicPages,
    renewals: settings.renewals,
    standins: settings.standins,
    rehearsal: settings.rehearsal,
  };
}

/** In both languages. What has no Hindi is shown as it is. */
function supportHours({ supportHours: en, supportHoursHindi }: Portal['settings']): PortalConfig['support']['hours'] {
  return { en, hi: supportHoursHindi ?? (en === shippedSupportHours.en ? shippedSupportHours.hi : en) };
}
