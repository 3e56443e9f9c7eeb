import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;

interface EarlyPage {
  path: string;
  module: string;
  calls: readonly string[];
}

/** Writes before-page.js into the page, with the files that the build has made of the early pages. */
export function writeBeforePage(earlyPages: readonly EarlyPage[]): Plugin {
  const source = readFileSync(join(import.meta.dirname, '../before-page.js'), 'utf8');
  return {
    name: 'before-page',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const pages = bundle === undefined ? [] : earlyPages.map((page) => asWritten(page, bundle));
        const { code } = transformSync(`const earlyPages = ${JSON.stringify(pages)};\n${source}`, {
          format: 'iife',
          minify: true,
        });
        return html.replace('<!--before-page-->', () => `<script>${code.trim()}</script>`);
      },
    },
  };
}

/** A page as before-page.js reads it: its address as a pattern, and in the calls `$1` for what the pattern finds. */
function asWritten({ path, module, calls }: EarlyPage, bundle: Bundle) {
  const param = /:\w+/;
  return {
    path: `^${path.replace(param, '([^/]+)')}$`,
    files: filesOf(module, bundle),
    calls: calls.map((call) => call.replace(param, '$1')),
  };
}

/** What is loaded for a page after the entry. */
function filesOf(module: string, bundle: Bundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const page = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(module));
  const entry = chunks.find((chunk) => chunk.isEntry);
  if (page === undefined || entry === undefined) throw new Error(`The build has no ${module}`);
  const needed = (of: Rolldown.OutputChunk): Set<string> => {
    const names = new Set([of.fileName]);
    for (const name of names) {
      const chunk = bundle[name];
      if (chunk?.type !== 'chunk') continue;
      for (const each of [...chunk.imports, ...(chunk.viteMetadata?.importedCss ?? [])]) names.add(each);
    }
    return names;
  };
  const there = needed(entry);
  return [...needed(page)].filter((name) => !there.has(name)).map((name) => `/${name}`);
}
