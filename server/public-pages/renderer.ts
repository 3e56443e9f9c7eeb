import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PublicRenderer } from '#shared/contract/public-pages.ts';

/** What renders the public pages, and the addresses of its style sheets. */
export interface LoadedRenderer {
  renderer: PublicRenderer;
  styles: readonly string[];
}

/** The renderer that the build wrote into a folder; undefined when there is none. */
export async function loadRenderer(folder: string): Promise<LoadedRenderer | undefined> {
  const assets = join(folder, 'assets');
  if (!existsSync(join(folder, 'render.js')) || !existsSync(assets)) return undefined;
  const styles = readdirSync(assets).filter((name) => name.endsWith('.css'));
  const renderer = await importRenderer(join(folder, 'render.js'));
  return { renderer, styles: styles.map((name) => `/assets/${name}`) };
}

/** Loads it from a file, with its texts. */
export async function importRenderer(file: string): Promise<PublicRenderer> {
  const renderer: PublicRenderer = await import(pathToFileURL(file).href);
  await renderer.ready();
  return renderer;
}
