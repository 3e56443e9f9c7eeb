import { posix } from 'node:path';
import { type Import, isTest, type Module, targetOf } from './modules.ts';
import {
  emptyNames,
  generatedFiles,
  maxLines,
  roomOf,
  rooms,
  testImports,
  testPackages,
  toolSettings,
} from './rooms.ts';

/** A rule looks at all modules and answers one sentence for each fault. */
export type Rule = (modules: readonly Module[]) => string[];

function eachImport(modules: readonly Module[], look: (module: Module, one: Import) => string | undefined): string[] {
  return modules.flatMap((module) =>
    module.imports.map((one) => look(module, one)).filter((fault) => fault !== undefined),
  );
}

function matches(name: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));
}

/** A check that saw nothing has checked nothing. */
export const somethingWasRead: Rule = (modules) =>
  modules.length === 0 ? ['No module was found; the check looked in the wrong place.'] : [];

export const everyModuleParses: Rule = (modules) =>
  modules.flatMap(({ path, unreadable }) =>
    unreadable === undefined ? [] : [`${path} cannot be parsed: ${unreadable}`],
  );

/** Is a path an entry of the table: a file, or in a folder of another room? Rooms are compared by name: one may lie in another. */
const isIn = (path: string, entry: string) => rooms[entry] === undefined && `${path}/`.startsWith(`${entry}/`);

/** Rooms import only the rooms that the table gives them; a folder that is not in the table imports nothing. */
export const roomsAreRespected: Rule = (modules) =>
  eachImport(modules, ({ path }, { specifier }) => {
    const target = targetOf(path, specifier);
    const room = roomOf(path);
    if (target === undefined || toolSettings.test(path) || (room !== '' && roomOf(target) === room)) return undefined;
    const allowed = new Set([...(rooms[room]?.imports ?? []), ...(isTest(path) ? testImports : [])]);
    const isAllowed = allowed.has(roomOf(target)) || [...allowed].some((entry) => isIn(target, entry));
    if (isAllowed || target.startsWith('build/')) return undefined;
    return `${path} imports ${target}: ${rooms[room] === undefined ? `${room || 'the root'} is not in the table of rooms` : `${room} may not import it`}.`;
  });

/** The folder of a file inside its room; '' for a file beside the folders. */
function subRoomOf(path: string): string {
  const [folder = '', ...rest] = path.slice(roomOf(path).length + 1).split('/');
  return rest.length > 0 ? folder : '';
}

/** Where the table names the folders of a room, they import only what it gives them, and a folder that it does not name imports nothing. */
export const subRoomsAreRespected: Rule = (modules) =>
  eachImport(modules, ({ path }, { specifier }) => {
    const target = targetOf(path, specifier);
    const room = roomOf(path);
    const table = rooms[room]?.rooms;
    const from = subRoomOf(path);
    if (table === undefined || target === undefined || roomOf(target) !== room) return undefined;
    const to = subRoomOf(target);
    if (from === '' || from === to || isTest(path) || table[from]?.includes(to) === true) return undefined;
    return `${path} imports ${target}: ${table[from] === undefined ? `${room}/${from} is not in the table of rooms` : `${room}/${from} may not import ${to === '' ? 'what puts the folders together' : `${room}/${to}`}`}.`;
  });

/** Code of tests, which other rules let look everywhere, is used by tests only. */
export const testCodeStaysInTests: Rule = (modules) =>
  eachImport(modules, ({ path }, { specifier }) => {
    const target = targetOf(path, specifier);
    if (
      target === undefined ||
      !isTest(target) ||
      isTest(path) ||
      /^(tests\/(acceptance|e2e)|server\/money-tests)\//.test(path)
    )
      return undefined;
    return `${path} imports ${target}, which only tests may use.`;
  });

export const packagesAreAllowed: Rule = (modules) =>
  eachImport(modules, ({ path }, { specifier }) => {
    if (targetOf(path, specifier) !== undefined || toolSettings.test(path)) return undefined;
    const allowed = rooms[roomOf(path)]?.packages ?? [];
    if (allowed === 'any' || matches(specifier, allowed) || (isTest(path) && matches(specifier, testPackages)))
      return undefined;
    return `${path} imports the package ${specifier}, which ${roomOf(path) || 'the root'} may not use.`;
  });

/** Every import of ours names a file that is there, from the root (`#room/file.ts`) or in the same folder (`./file.ts`). */
export const importsAreAbsolute: Rule = (modules) => {
  const known = new Set(modules.map(({ path }) => path));
  return eachImport(modules, ({ path }, { specifier }) => {
    if (specifier.startsWith('../') && !path.endsWith('.mjs'))
      return `${path} imports ${specifier}; write it from the root: #…`;
    const target = targetOf(path, specifier);
    if (target === undefined || target.startsWith('build/') || !/\.(ts|tsx|mjs|js)$/.test(target) || known.has(target))
      return undefined;
    return `${path} imports ${specifier}, which does not exist.`;
  });
};

interface Place {
  side: string;
  noun: string;
  file: string;
}

/** server/features/<noun>/<file>, the same under web. */
function placeOf(path: string): Place | undefined {
  const [, side, noun, file] = /^(server|web)\/features\/([^/]+)\/(.+)$/.exec(path) ?? [];
  return side === undefined || noun === undefined || file === undefined ? undefined : { side, noun, file };
}

const rankOf = (file: string) => (['operator.ts', 'routes.ts'].includes(file) ? 2 : file === 'store.ts' ? 0 : 1);

/** Inside a feature of the server: routes and operator's calls → noun → store. Between its features: only through the door `<noun>.ts`. */
export const featuresHaveDoors: Rule = (modules) =>
  eachImport(modules, ({ path }, { specifier }) => {
    const from = placeOf(path);
    const target = targetOf(path, specifier);
    const to = target === undefined ? undefined : placeOf(target);
    if (from?.side !== 'server' || to === undefined || isTest(path)) return undefined;
    if (from.noun !== to.noun && to.file !== `${to.noun}.ts`) {
      return `${path} imports ${target}; other features are entered through ${to.noun}.ts only.`;
    }
    if (from.noun === to.noun && rankOf(from.file) < rankOf(to.file)) {
      return `${path} imports ${target}; inside a feature arrows point from routes to the noun to the store.`;
    }
    return undefined;
  });

/** What all features stand on knows none of them. Operators’ calls over HTTP stand above them, as the app does. */
export const foundationsKnowNoFeature: Rule = (modules) =>
  eachImport(modules, ({ path }, { specifier }) => {
    const target = targetOf(path, specifier);
    const isFoundation =
      /^(server\/(?!features\/|money-tests\/|operator-http\/|test\/)[^/]+|web\/(api|forms|language|session|sign-in|ui))\//.test(
        path,
      );
    if (!isFoundation || target === undefined || placeOf(target) === undefined) return undefined;
    return `${path} imports ${target}; ${path.split('/').slice(0, 2).join('/')} knows no feature.`;
  });

/** The circles of a graph, each as the way round. */
function circlesIn(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): void => {
    const start = trail.indexOf(node);
    if (start >= 0) circles.push([...trail.slice(start), node]);
    if (start >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

function targetsOf({ path, imports }: Module): string[] {
  return imports.flatMap(({ specifier }) => targetOf(path, specifier) ?? []);
}

/** No file reaches itself through its imports, those of types included. */
export const noCycles: Rule = (modules) => {
  return circlesIn(new Map(modules.map((module) => [module.path, targetsOf(module)]))).map(
    (circle) => `These import each other in a circle: ${circle.join(' → ')}`,
  );
};

/**
 * Folder by folder, what lies in one (its files, and each of its folders as a whole) imports each other in no circle, types included.
 * Tests are left out, since they look at what is above them; so are circles of files alone, which `noCycles` reports.
 */
export const noFolderCycles: Rule = (modules) => {
  const known = new Set(modules.map(({ path }) => path));
  const folders = new Map<string, Map<string, Map<string, string>>>();
  for (const module of modules.filter(({ path }) => !isTest(path))) {
    for (const target of targetsOf(module)) {
      const from = module.path.split('/');
      const to = target.split('/');
      const depth = from.findIndex((part, index) => part !== to[index]);
      if (depth < 0 || !known.has(target)) continue;
      const nodeOf = (parts: string[]) => parts.slice(0, depth + 1).join('/') + (parts.length > depth + 1 ? '/' : '');
      const folder = from.slice(0, depth).join('/');
      const graph = folders.get(folder) ?? new Map<string, Map<string, string>>();
      const examples = graph.get(nodeOf(from)) ?? new Map<string, string>();
      folders.set(folder, graph.set(nodeOf(from), examples.set(nodeOf(to), `${module.path} imports ${target}`)));
    }
  }
  return [...folders.values()].flatMap((graph) =>
    circlesIn(new Map([...graph].map(([node, examples]) => [node, examples.keys()])))
      .filter((circle) => circle.some((node) => node.endsWith('/')))
      .map((circle) => {
        const because = circle.slice(1).map((to, index) => graph.get(circle[index] ?? '')?.get(to));
        return `These import each other in a circle: ${circle.join(' → ')} (${because.join(', ')})`;
      }),
  );
};

/** The one file that may make connections to PostgreSQL, each with an error listener: an error without one ends the process. */
const clientsFile = 'shared/database/clients.ts';
const harmlessOfPg = new Set(['DatabaseError', 'types']);

/** Everything else of pg at run time can make a connection. */
export const connectionsHaveListeners: Rule = (modules) =>
  eachImport(modules, ({ path }, { specifier, typeOnly, names = ['*'] }) => {
    if (path === clientsFile || typeOnly || !/^(pg|pg-pool)(\/|$)/.test(specifier)) return undefined;
    const other = names.find((name) => !harmlessOfPg.has(name));
    return other === undefined
      ? undefined
      : `${path} imports ${other === '*' ? 'all' : other} of ${specifier}; open connections with openPool or openClient of ${clientsFile}.`;
  });

export const namesSaySomething: Rule = (modules) =>
  modules.flatMap(({ path }) => {
    const empty = path.split('/').find((part) => emptyNames.includes(posix.parse(part).name.replace(/\.test$/, '')));
    return empty === undefined ? [] : [`${path}: the name "${empty}" does not say what is inside.`];
  });

export const namesAreKebabCase: Rule = (modules) =>
  modules.flatMap(({ path }) =>
    /^[a-z0-9./-]+$/.test(path) ? [] : [`${path}: file and folder names are kebab-case.`],
  );

export const filesAreShort: Rule = (modules) =>
  modules.flatMap(({ path, lines }) =>
    lines > maxLines && !generatedFiles.includes(path) ? [`${path} has ${lines} lines; at most ${maxLines}.`] : [],
  );

const suppression = /@ts-(ignore|expect-error|nocheck)|(ox|es)lint-disable|oxfmt-ignore|prettier-ignore|biome-ignore/;

export const nothingIsSilenced: Rule = (modules) =>
  modules.flatMap(({ path, comments }) =>
    comments.flatMap((comment) => {
      const silenced = suppression.exec(comment)?.[0];
      return silenced === undefined ? [] : [`${path} silences a check with ${silenced}.`];
    }),
  );

export const noAny: Rule = (modules) =>
  modules.flatMap(({ path, anys }) => (anys > 0 ? [`${path} uses the type any.`] : []));

/** The gateway's programs run where calls are counted; a Node that renames something internal may not change what they do (decision 027). */
const onlyDocumented = new Set(['gateway', 'shared/platform', 'products', 'server']);

/** Names that Node does not document begin with an underscore, and have one place. */
export const undocumentedNamesHaveOnePlace: Rule = (modules) =>
  modules.flatMap(({ path, underscored }) => {
    if (
      underscored.length === 0 ||
      isTest(path) ||
      path.startsWith('gateway/node/') ||
      !onlyDocumented.has(roomOf(path))
    )
      return [];
    return [`${path} uses ${underscored.join(', ')}; what Node does not document belongs into gateway/node/.`];
  });

/** Rooms that ask nothing but our own processes, or are no part of an installation. */
const asksOnlyOwn = /^(web|ship\/(demo|standins)|tests|server\/money-tests)\//;

/** A response of another system may be without end. */
export const responsesAreBounded: Rule = (modules) =>
  modules.flatMap(({ path, wholeBodies }) =>
    wholeBodies.length === 0 || isTest(path) || asksOnlyOwn.test(path)
      ? []
      : [`${path} calls .${wholeBodies[0]}(); read responses with shared/platform/read-response.ts.`],
  );

export const noBarrels: Rule = (modules) =>
  modules.flatMap(({ path, isBarrel }) =>
    isBarrel ? [`${path} only passes on what others export; import from them.`] : [],
  );

export const allRules: Readonly<Record<string, Rule>> = {
  somethingWasRead,
  everyModuleParses,
  roomsAreRespected,
  subRoomsAreRespected,
  testCodeStaysInTests,
  packagesAreAllowed,
  importsAreAbsolute,
  featuresHaveDoors,
  foundationsKnowNoFeature,
  noCycles,
  noFolderCycles,
  connectionsHaveListeners,
  namesSaySomething,
  namesAreKebabCase,
  filesAreShort,
  nothingIsSilenced,
  noAny,
  undocumentedNamesHaveOnePlace,
  responsesAreBounded,
  noBarrels,
};
