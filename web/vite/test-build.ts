import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Plugin, type Rolldown, build } from 'vite';

/** Builds these files in memory, from `index.html`, with the plug-ins. */
export async function buildPage(
  files: Readonly<Record<string, string>>,
  plugins: readonly Plugin[],
): Promise<readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]> {
  const root = mkdtempSync(join(tmpdir(), 'octroi-page-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const built = await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [...plugins],
      build: { write: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    });
    if (!('output' in built)) throw new Error('The build gave no files');
    return built.output;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** The built index.html. */
export function pageOf(output: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): string {
  const page = output.find(({ fileName }) => fileName === 'index.html');
  return page?.type === 'asset' ? String(page.source) : '';
}
