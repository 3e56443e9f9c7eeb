import { posix } from 'node:path';
import { groupBy } from '#shared/domain/group-by.ts';
import { type Room, roomOf, rooms } from './rooms.ts';

/** A file of the repository. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Puts a generated text between its two marks; throws when they are missing. */
export function withGenerated(page: string, name: string, text: string): string {
  const begin = `<!-- generated: ${name} -->\n`;
  const end = `<!-- /generated -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The page has no marks for the generated ${name}.`);
  return page.slice(0, from + begin.length) + text + page.slice(to);
}

/** Of what a room may import: a room, or a folder or file of one. */
const roomOfEntry = (entry: string) => (entry in rooms ? entry : roomOf(`${entry}/`));

/** The rows of a diagram, topmost first: each row imports only from rows below it. */
function levelsOf(imports: Readonly<Record<string, readonly string[]>>): string[] {
  const levels = new Map<string, number>();
  const levelOf = (name: string, trail: readonly string[]): number => {
    const known = levels.get(name);
    if (known !== undefined) return known;
    if (trail.includes(name))
      throw new Error(`These may import each other in a circle: ${[...trail, name].join(' → ')}`);
    const below = (imports[name] ?? []).map((other) => levelOf(other, [...trail, name]));
    const level = 1 + Math.max(-1, ...below);
    levels.set(name, level);
    return level;
  };
  const byLevel = groupBy(Object.keys(imports).toSorted(), (name) => levelOf(name, []));
  return [...byLevel].toSorted(([a], [b]) => b - a).map(([, names]) => names.join('   '));
}

const diagram = (imports: Readonly<Record<string, readonly string[]>>) =>
  ['```', ...levelsOf(imports), '```', ''].join('\n');

/** The rooms: by level, then each with its allowed imports. */
export function describeRooms(
  rooms: Readonly<Record<string, Room>>,
  words: Readonly<Record<string, { what: string; lookFor: string }>>,
): string {
  const imports = Object.entries(rooms).map(
    ([name, room]) => [name, [...new Set(room.imports.map(roomOfEntry))]] as const,
  );
  const rows = Object.keys(rooms)
    .toSorted()
    .map((name) => [
      `\`${name}/\``,
      words[name]?.what ?? '',
      words[name]?.lookFor ?? '',
      (rooms[name]?.imports ?? []).map((entry) => (entry === roomOfEntry(entry) ? entry : `\`${entry}\``)).join(', '),
    ]);
  return `${diagram(Object.fromEntries(imports))}\n${table(['room', 'what it is', 'look here for', 'may import'], rows)}`;
}

/** The rooms with import rules for their folders, by level. */
export function describeInside(rooms: Readonly<Record<string, Room>>): string {
  return Object.entries(rooms)
    .flatMap(([name, { rooms: folders }]) =>
      folders === undefined ? [] : [`Inside \`${name}/\`:\n\n${diagram(folders)}`],
    )
    .join('\n');
}

/** The tables that a database function writes, itself or through functions that it calls. */
interface DatabaseFunction {
  isTrigger: boolean;
  writes: Set<string>;
}

const writeInSql = /\b(?:insert into|update|delete from)\s+([a-z_]+)/g;
const writeInCode =
  /(?:insertInto|updateTable|deleteFrom|mergeInto)\('([a-z_]+)'|\b(?:insert into|update|delete from)\s+([a-z_.]+)/g;

/** The functions of a schema and the tables that each writes. */
function functionsIn(schema: string): Map<string, DatabaseFunction> {
  const texts = [...schema.matchAll(/^create or replace function (\w+)\(([\s\S]*?\$\$[\s\S]*?)\$\$;/gm)];
  const bodies = new Map(texts.map(([, name = '', body = '']) => [name, body]));
  const writesOf = (name: string, seen: readonly string[]): string[] => {
    const body = bodies.get(name) ?? '';
    const called = [...bodies.keys()].filter(
      (other) => !seen.includes(other) && new RegExp(`\\b${other}\\(`).test(body),
    );
    const own = [...body.matchAll(writeInSql)].map(([, table = '']) => table);
    return [...own, ...called.flatMap((other) => writesOf(other, [...seen, other]))];
  };
  return new Map(
    [...bodies].map(([name, body]) => [
      name,
      { isTrigger: /\breturns trigger\b/.test(body), writes: new Set(writesOf(name, [name])) },
    ]),
  );
}

/** The tables of a schema. */
export function tablesIn(schema: string): string[] {
  return [...schema.matchAll(/^create table (?:if not exists )?([a-z_.]+)/gm)].map(([, name = '']) => name);
}

/** The tables that each folder writes, by its own statements or by functions of the database that it calls; `trigger` for the triggers. */
export function tablesWritten(files: readonly SourceFile[], schema: string): Map<string, string[]> {
  const tables = new Set(tablesIn(schema));
  const functions = functionsIn(schema);
  const written = new Map<string, Set<string>>();
  const add = (folder: string, names: Iterable<string>): void => {
    const known = [...names].filter((name) => tables.has(name));
    if (known.length > 0) written.set(folder, new Set([...(written.get(folder) ?? []), ...known]));
  };
  for (const { path, text } of files) {
    const folder = posix.dirname(path);
    add(
      folder,
      [...text.matchAll(writeInCode)].map(([, built, plain]) => built ?? plain ?? ''),
    );
    for (const [name, { isTrigger, writes }] of functions) {
      if (!isTrigger && new RegExp(`\\b${name}\\(`).test(text)) add(folder, writes);
    }
  }
  for (const { isTrigger, writes } of functions.values()) if (isTrigger) add('trigger', writes);
  return new Map([...written].map(([folder, names]) => [folder, [...names].toSorted()]));
}

/** The pages of each folder with their addresses, from the routes: the address is before the import of its page. */
export function pagesIn(routes: string): Map<string, string[]> {
  const found = routes.matchAll(/\bpage\(\s*'(\/[^']*)',[^']*import\('#(web\/(?:console\/)?features\/[^/]+)\//g);
  const pages = [...found].map(([, path = '', folder = '']) => ({
    address: folder.startsWith('web/console/') ? `/operator${path === '/' ? '' : path}` : path,
    folder,
  }));
  return new Map(
    [...groupBy(pages, ({ folder }) => folder)].map(([folder, list]) => [
      folder,
      [...new Set(list.map((page) => page.address))],
    ]),
  );
}

/** Every folder of a room with the tables that it writes, and the other writers. */
export function describeFolders(
  words: Readonly<Record<string, string>>,
  written: ReadonlyMap<string, string[]>,
  tables: readonly string[],
): string {
  const rows = Object.entries(words)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, what]) => [`\`${folder}/\``, what, names(written.get(folder))]);
  const beside = [...written].filter(
    ([folder]) => folder !== 'trigger' && !folder.includes('/features/') && !(folder in words),
  );
  const all = new Set([...written.values()].flat());
  const others = [
    ...beside.map(([folder, list]) => `files beside the folders of \`${folder}/\`: ${names(list)}`),
    `triggers: ${names(written.get('trigger'))}`,
    `the schema alone: ${names(tables.filter((name) => !all.has(name)))}`,
  ];
  return `${table(['folder', 'what it holds', 'writes'], rows)}\nTables are also written by ${others.join('; ')}.\n`;
}

/** Every noun: the rooms that have it, the tables that it writes, and its pages. */
export function describeNouns(
  words: Readonly<Record<string, string>>,
  paths: ReadonlySet<string>,
  written: ReadonlyMap<string, string[]>,
  pages: ReadonlyMap<string, string[]>,
): string {
  const has = (folder: string) => [...paths].some((path) => path.startsWith(`${folder}/`));
  const rows = Object.entries(words).map(([noun, what]) => {
    const rooms = [
      ...(paths.has(`shared/contract/${noun}.ts`) || paths.has(`shared/contract/operator/${noun}.ts`)
        ? ['shared/contract']
        : []),
      ...(paths.has(`shared/policies/${noun}.ts`) ? ['shared/policies'] : []),
      ...['server', 'web', 'web/console'].filter((room) => has(`${room}/features/${noun}`)),
    ];
    return [
      noun,
      what,
      rooms.join(', '),
      names(written.get(`server/features/${noun}`)),
      names(['web', 'web/console'].flatMap((room) => pages.get(`${room}/features/${noun}`) ?? [])),
    ];
  });
  return table(['noun', 'what it does', 'rooms', 'writes', 'pages'], rows);
}

const names = (list: readonly string[] = []) => list.map((name) => `\`${name}\``).join(' ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/**
 * One sentence for each room, folder or noun without a description, and for each description of something that does not
 * exist.
 */
export function wordFaults(kind: string, places: Iterable<string>, words: Readonly<Record<string, unknown>>): string[] {
  const known = new Set(places);
  return [
    ...[...known]
      .filter((place) => words[place] === undefined)
      .map((place) => `The ${kind} ${place} has no description in tests/checks/places.ts.`),
    ...Object.keys(words)
      .filter((place) => !known.has(place))
      .map((place) => `The ${kind} ${place} of tests/checks/places.ts does not exist.`),
  ];
}

/** One sentence for each path that a page names and that does not exist. `<noun>` and `*` stand for any name. */
export function pathFaults(page: string, text: string, paths: ReadonlySet<string>, rooms: readonly string[]): string[] {
  const named = [...text.matchAll(/`((?:[\w.<>*-]+\/)+[\w.<>*-]*)`/g)].map(([, path = '']) => path);
  const ours = named.filter((path) => rooms.includes(roomOf(path)));
  const exists = (path: string) => {
    const pattern = path.replaceAll('.', String.raw`\.`).replaceAll(/<[^>]+>|\*/g, '[^/]+');
    const whole = new RegExp(`^${pattern.replace(/\/$/, '')}(/|$)`);
    return [...paths].some((each) => whole.test(each));
  };
  return [...new Set(ours)]
    .filter((path) => !exists(path))
    .map((path) => `${page} names ${path}, which does not exist.`);
}

/** Guides and texts of a brand link to pages of the portal, which tests visit. */
const isPortalPage = (page: string): boolean => /^(?:catalog|ship\/standins)\//.test(page);

/** One sentence for each relative link of a page to a file or folder that does not exist. */
export function linkFaults(page: string, text: string, paths: ReadonlySet<string>): string[] {
  const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = '']) => link);
  const targets = links
    .filter((link) => !/^[a-z]+:/.test(link) && !(link.startsWith('/') && isPortalPage(page)))
    .map((link) => posix.join(posix.dirname(page), link).replace(/\/$/, ''));
  const exists = (target: string) => paths.has(target) || [...paths].some((path) => path.startsWith(`${target}/`));
  return [...new Set(targets)]
    .filter((target) => !exists(target))
    .map((target) => `${page} links to ${target}, which does not exist.`);
}

/** One sentence for each number that two pages of decisions have: code and pages name a decision by its number. */
export function numberFaults(paths: readonly string[]): string[] {
  const numbers = paths.flatMap((path) => /^docs\/decisions\/(\d+)-/.exec(path)?.[1] ?? []);
  return [...new Set(numbers.filter((number, at) => numbers.indexOf(number) < at))].map(
    (number) => `Two pages of docs/decisions have the number ${number}.`,
  );
}
