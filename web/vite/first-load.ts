import { gzipSync } from 'node:zlib';
import type { Logger, Plugin } from 'vite';

interface FirstLoad {
  /** The modules of the pages where visits start, as path endings. */
  pages: readonly string[];
  /** The most compressed JavaScript that one of them may load, in bytes. */
  limit: number;
  /** Catalogues in Hindi that are loaded only when something needs them, as path endings. */
  later?: readonly string[];
}

/** Logs how much a first visit loads, in both languages. The build fails above the limit. */
export function firstLoad({ pages, limit, later = [] }: FirstLoad): Plugin {
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
      const entry = chunks.find((chunk) => chunk.isEntry);
      for (const page of pages) {
        const own = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(page));
        if (entry === undefined || own === undefined) throw new Error(`The build has no ${page}`);
        const english = addAll(own.fileName, addAll(entry.fileName, new Set()));
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
          if (bytes > limit) throw new Error(`${says}, more than ${limit / 1000} KB`);
          logger?.info(`first load of ${says}`);
        }
      }
    },
  };
}
