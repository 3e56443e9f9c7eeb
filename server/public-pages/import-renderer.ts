import { pathToFileURL } from 'node:url';
import type { PublicRenderer } from '#shared/contract/public-pages.ts';

/** Loads it from a file, with its texts. */
export async function importRenderer(file: string): Promise<PublicRenderer> {
  const renderer: PublicRenderer = await import(pathToFileURL(file).href);
  await renderer.ready();
  return renderer;
}
