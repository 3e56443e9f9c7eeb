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
import { backendPath } from './app.ts';
import { precompress, sendPrecompressed } from './precompressed.ts';
import { sendProblem } from './problems.ts';

/** The built pages. */
export interface BuiltPages {
  folder: string;
  /** Every page is this file; the browser renders what the address says. */
  html: string;
  /** Hashes of its inline scripts, for the content security policy. */
  inlineScripts: string[];
}

/** The built pages of a folder; undefined when there are none. */
export function readPages(folder: string): BuiltPages | undefined {
  const path = join(folder, 'index.html');
  if (!existsSync(path)) return undefined;
  const html = readFileSync(path, 'utf8');
  const inlineScripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script ?? '')
        .digest('base64')}'`,
  );
  return { folder, html, inlineScripts };
}

/** Serves the built pages: files with a hash in their name are cached for ever, the page itself is revalidated each time. */
export async function servePages(app: FastifyInstance, portal: Portal, { folder, html }: BuiltPages): Promise<void> {
  const brand = brandOf(portal.settings);
  const page = withConfig(brandedHead(html, brand), { ...portalConfig(portal), brand: brandConfig(brand) });
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
  const compressed = precompress(page);
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = (request.method === 'GET' || request.method === 'HEAD') && !isFileOrCall(request.url);
    if (!wantsPage) return sendProblem(reply, 'not_found');
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    return sendPrecompressed(request, reply, compressed);
  });
}

function isFileOrCall(url: string): boolean {
  const path = url.split('?')[0] ?? '';
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

function portalConfig({ settings }: Portal): Omit<PortalConfig, 'brand'> {
  return {
    backendUrl: backendPath,
    gatewayUrl: settings.gatewayUrl,
    providerName: settings.providerName,
    googleClientId: settings.googleClientId,
    googleScriptUrl: settings.googleScriptUrl,
    checkoutKeyId: settings.razorpayKeyId,
    checkoutScriptUrl: settings.razorpayCheckoutUrl,
    support: { email: settings.supportEmail, phone: settings.supportPhone, hours: supportHours(settings) },
    standins: settings.standins,
    rehearsal: settings.rehearsal,
  };
}

/** In both languages. What has no Hindi is shown as it is. */
function supportHours({ supportHours: en, supportHoursHindi }: Portal['settings']): PortalConfig['support']['hours'] {
  return { en, hi: supportHoursHindi ?? (en === shippedSupportHours.en ? shippedSupportHours.hi : en) };
}
