import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { PublicPage } from '#shared/contract/public-pages.ts';
import type { MakesPages } from './makes-pages.ts';
import { PageProcess } from './page-process.ts';

/** What makes the public pages of a portal. */
export interface LoadedRenderer {
  /** For one portal, until its end. */
  start: (log: FastifyBaseLogger) => MakesPages & { end?: () => void };
  /** Addresses of its files. */
  styles: PublicPage['styles'];
  fonts: PublicPage['fonts'];
}

/** The renderer that the build wrote into a folder; undefined when there is none. */
export function findRenderer(folder: string): LoadedRenderer | undefined {
  const assets = join(folder, 'assets');
  const file = join(folder, 'render.js');
  if (!existsSync(file) || !existsSync(assets)) return undefined;
  const named = (pattern: RegExp) =>
    readdirSync(assets)
      .filter((name) => pattern.test(name))
      .map((name) => `/assets/${name}`);
  const latin = named(/^geist-latin-wght-.*\.woff2$/);
  const fonts = { en: latin, hi: [...latin, ...named(/^noto-sans-devanagari-devanagari-.*\.woff2$/)] };
  return { start: (log) => new PageProcess(file, log), styles: named(/\.css$/), fonts };
}
