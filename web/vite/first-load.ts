import { gzipSync } from 'node:zlib';
import type { Logger, Plugin } from 'vite';

interface FirstPage {
  /** The HTML file. */
  entry: string;
  /** The module of the page, as a path ending; without it the entry is the page. */
  module?: string;
  /** The most compressed JavaScript that it may load, in bytes. */
  limit: { English: number; Hindi: number };
}

interface FirstLoad {
  /** The pages where visits start, by their addresses. */
  pages: Readonly<Record<string, FirstPage>>;
  /** Catalogues in Hindi that are loaded only when something needs them, as path endings. */
  later?: readonly string[];
}

/** Logs how much a first visit loads, in both languages. The build fails above the limit. */
export function firstLoad({ pages, later = [] }: FirstLoad): Plugin {
  let logger: Logger | undefined;
  return {
    name: 'first-load',
    apply: 'build',
    configResolved: (config) => {
      logger = config.logger;
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const chunkOf = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const addAll = (name: string, found: Set<string>): Set<string> => {
        if (found.has(name)) return found;
        found.add(name);
        for (const each of chunkOf.get(name)?.imports ?? []) addAll(each, found);
        return found;
      };
      const find = (path: string) => {
        const found = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(path));
        if (found === undefined) throw new Error(`The build has no ${path}`);
        return found.fileName;
      };
      for (const [page, { entry, module, limit }] of Object.entries(pages)) {
        const english = addAll(find(module ?? entry), addAll(find(entry), new Set()));
        const hindi = [...english]
          .flatMap((name) => chunkOf.get(name)?.dynamicImports ?? [])
          .filter((name) => {
            const id = chunkOf.get(name)?.facadeModuleId ?? '';
            return id.endsWith('texts.hi.ts') && !later.some((path) => id.endsWith(path));
          });
        for (const [language, names] of [
          ['English', english],
          ['Hindi', new Set([...english, ...hindi])],
        ] as const) {
          const bytes = [...names].reduce((sum, name) => sum + gzipSync(chunkOf.get(name)?.code ?? '').length, 0);
          const says = `${page} in ${language}: ${names.size} files, ${(bytes / 1000).toFixed(1)} KB of JavaScript`;
          if (bytes > limit[language]) throw new Error(`${says}, more than ${limit[language] / 1000} KB`);
          logger?.info(`first load of ${says}`);
        }
      }
    },
  };
}
