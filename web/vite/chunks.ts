import { parseSync } from 'oxc-parser';
import { dirname, join } from 'node:path';

/** What is known of the modules when they are put into files. */
export interface ModuleGraph {
  getModuleInfo: (id: string) => { code: string | null; importedIds: readonly string[] } | null;
}

/** Packages whose one module names all others: who imports from it needs only what it names. */
const barrels = [
  { name: '@mantine/core', file: '/@mantine/core/esm/index.mjs' },
  { name: '@mantine/hooks', file: '/@mantine/hooks/esm/index.mjs' },
  { name: 'lucide-react', file: '/lucide-react/dist/esm/lucide-react.mjs' },
];

/**
 * Puts modules into few files: into that of the first step whose modules reach it without a later import. Left alone, each set
 * of pages that shares a module gets a file of its own: nearly a hundred for one page, which a connection asks for a few at a
 * time.
 */
export function createFileOf(
  steps: readonly { file: string; from: readonly string[] }[],
): (id: string, graph: ModuleGraph) => string | null {
  const reached = new Map<string, Set<string>>();
  return (id, graph) => {
    const step = steps.find(({ from, file }) => {
      const known = reached.get(file) ?? reachedFrom(from, graph);
      reached.set(file, known);
      return known.has(id);
    });
    return step?.file ?? null;
  };
}

/** All modules that these need before they run. */
function reachedFrom(starts: readonly string[], graph: ModuleGraph): Set<string> {
  const found = new Set(starts);
  for (const id of found) {
    const info = graph.getModuleInfo(id);
    for (const imported of info?.importedIds ?? []) {
      const barrel = barrels.find(({ file }) => imported.endsWith(file));
      if (barrel === undefined) found.add(imported);
      else {
        const files = namesIn(imported, graph);
        for (const name of namesFrom(barrel.name, info?.code ?? '')) {
          const file = files.get(name);
          if (file !== undefined) found.add(file);
        }
      }
    }
  }
  return found;
}

/** What a module imports from a package. */
function namesFrom(barrel: string, code: string): string[] {
  return parseSync('module.mjs', code)
    .module.staticImports.filter(({ moduleRequest }) => moduleRequest.value === barrel)
    .flatMap(({ entries }) => entries.flatMap(({ importName }) => importName.name ?? []));
}

const filesOf = new Map<string, Map<string, string>>();

/** In which file the names of a barrel are. */
function namesIn(barrel: string, graph: ModuleGraph): Map<string, string> {
  const known = filesOf.get(barrel);
  if (known !== undefined) return known;
  const files = new Map<string, string>();
  const { staticImports, staticExports } = parseSync('module.mjs', graph.getModuleInfo(barrel)?.code ?? '').module;
  const add = (name: string | null | undefined, request: string | undefined) => {
    if (typeof name === 'string' && request?.startsWith('./')) files.set(name, join(dirname(barrel), request));
  };
  for (const { entries, moduleRequest } of staticImports)
    for (const { localName } of entries) add(localName.value, moduleRequest.value);
  for (const { entries } of staticExports)
    for (const { exportName, moduleRequest } of entries) add(exportName.name, moduleRequest?.value);
  filesOf.set(barrel, files);
  return files;
}
