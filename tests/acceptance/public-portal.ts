import { afterAll, beforeAll, vi } from 'vitest';
import { z } from 'zod';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { buildApp } from '#server/app.ts';
import type { LoadedRenderer } from '#server/public-pages/renderer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { type LiveApis, useLiveApis } from './live-apis.ts';
import { rendererOfSource } from './renderer-of-source.ts';

/** A portal whose public pages are those of our own APIs, with a gateway. */
export interface PublicPortal {
  live: LiveApis;
  portal: TestPortal['portal'];
  /** What renders them, for another app of the same portal. */
  publicPages: LoadedRenderer;
  read: (
    url: string,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; body: string; headers: Record<string, unknown> }>;
  /** An address without that of the portal. */
  own: (url: string) => string;
  /** The addresses that a page leads to. */
  linksIn: (html: string) => string[];
}

export const operationSchema = z.looseObject({
  operationId: z.string().optional(),
  parameters: z.array(z.looseObject({ name: z.string() })).optional(),
});

/** Starts it for the tests of a file. */
export function startPublicPortal(): () => PublicPortal {
  const live = useLiveApis();
  let started: PublicPortal | undefined;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const env = { GATEWAY_URL: live().gateway.url, BRAND_DIR: projectFolder('ship', 'standins', 'brand') };
    const { portal, close } = await startTestPortal({ jobs: false, env });
    closing.push(close);
    const publicPages = await rendererOfSource();
    const app = await buildApp(portal, { publicPages });
    closing.push(() => app.close());
    const read: PublicPortal['read'] = async (url, headers = {}) => {
      const { statusCode: status, body, headers: got } = await app.inject({ url, headers });
      return { status, body, headers: got };
    };
    const own = (url: string): string => url.replace(portal.settings.portalUrl, '');
    const linksIn = (html: string): string[] =>
      [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => own(href.replaceAll('&amp;', '&')));
    // The gateway reads a document when it is first asked for it.
    for (const id of ['tax-lookup-api', 'invoicing-system'])
      await vi.waitUntil(async () => (await read(`/apis/${id}/reference`)).status === 200, {
        timeout: 60_000,
        interval: 500,
      });
    started = { live: live(), portal, publicPages, read, own, linksIn };
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });
  return () => {
    if (started === undefined) throw new Error('The portal has not started');
    return started;
  };
}
