import { projectFolder } from '#shared/platform/project-folder.ts';
import { importRenderer } from '#server/public-pages/import-renderer.ts';
import { PageMaker } from '#server/public-pages/page-maker.ts';
import type { LoadedRenderer } from '#server/public-pages/renderer.ts';

/** Renders the public pages from their source, in the process of the tests. */
export async function rendererOfSource(): Promise<LoadedRenderer> {
  const renderer = await importRenderer(projectFolder('web/public-pages/render.tsx'));
  return { start: () => new PageMaker(renderer), styles: [], fonts: { en: [], hi: [] } };
}
