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

/**
 * Writes before-page.js into each page, with the files that the build has made of the early pages, and before-root.js into those that the server
 * renders, whose style sheets it loads too: what is shown first has its styles in the page.
 */
export function writeBeforePage(earlyPages: readonly EarlyPage[]): Plugin {
  const source = sourceOf('before-page.js');
  const ofRoot = sourceOf('before-root.js');
  return {
    name: 'before-page',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle, chunk }) => {
        const isServed = html.includes(rootPlace);
        const styles = isServed ? [...html.matchAll(styleSheet)].map(([, href]) => href) : [];
        const pages =
          bundle === undefined || chunk === undefined ? [] : earlyPages.map((page) => asWritten(page, bundle, chunk));
        const given = `const earlyPages = ${JSON.stringify(pages)};\nconst styleSheets = ${JSON.stringify(styles)};\n`;
        return (isServed ? html.replaceAll(styleSheet, '') : html)
          .replace('<!--before-page-->', () => inlineScript(given + source))
          .replace(rootPlace, () => inlineScript(ofRoot));
      },
    },
  };
}

function sourceOf(name: string): string {
  return readFileSync(join(import.meta.dirname, '..', name), 'utf8');
}

const rootPlace = '<!--before-root-->';

const styleSheet = /<link rel="stylesheet" crossorigin href="([^"]+)">\s*/g;

function inlineScript(source: string): string {
  return `<script>${transformSync(source, { format: 'iife', minify: true }).code.trim()}</script>`;
}

/** A page as before-page.js reads it: its address as a pattern, and in the calls `$1` for what the pattern finds. */
function asWritten({ path, module, calls }: EarlyPage, bundle: Bundle, entry: Rolldown.OutputChunk) {
  const param = /:\w+/;
  return {
    path: `^${path.replace(param, '([^/]+)')}$`,
    files: filesOf(module, bundle, entry),
    calls: calls.map((call) => call.replace(param, '$1')),
  };
}

/** What is loaded for a page after the entry. */
function filesOf(module: string, bundle: Bundle, entry: Rolldown.OutputChunk): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const page = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(module));
  if (page === undefined) throw new Error(`The build has no ${module}`);
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
