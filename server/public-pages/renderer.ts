import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MakesPages } from './makes-pages.ts';
import { PageProcess } from './page-process.ts';

/** What makes the public pages of a portal. */
export interface LoadedRenderer {
  /** For one portal, until its end. */
  start: () => MakesPages & { end?: () => void };
  /** The addresses of its style sheets. */
  styles: readonly string[];
}

/** The renderer that the build wrote into a folder; undefined when there is none. */
export function findRenderer(folder: string): LoadedRenderer | undefined {
  const assets = join(folder, 'assets');
  const file = join(folder, 'render.js');
  if (!existsSync(file) || !existsSync(assets)) return undefined;
  const styles = readdirSync(assets).filter((name) => name.endsWith('.css'));
  return { start: () => new PageProcess(file), styles: styles.map((name) => `/assets/${name}`) };
}
