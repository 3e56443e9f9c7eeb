import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Module, readModule, targetOf } from './modules.ts';

/** Style sheets that belong to no component. */
const foundations = /\/(baseline|default-css-variables|global)\.layer\.css$/;
const isMantine = (specifier: string) => /^@mantine\/[\w-]+$/.test(specifier);
const isSheet = (specifier: string) => /^@mantine\/.+\.css$/.test(specifier);

/** The style sheets that a component of a Mantine package needs; `members` such as `Group` of `Checkbox.Group`. */
export type SheetsOf = (packageName: string, component: string, members: readonly string[]) => ReadonlySet<string>;

/** `Group` and `Card` for `Checkbox.Group` and `Checkbox.Card`. */
function membersOf(component: string, text: string): string[] {
  const found = [...text.matchAll(/(?<![\w.])(\w+)\.([A-Z]\w*)/g)].filter(([, object]) => object === component);
  return [...new Set(found.map(([, , member = '']) => member))];
}

/** What a file of Mantine imports: a name, the members of it that the file uses, and the member of its own that it becomes, if so. */
interface Part {
  file: string;
  name: string;
  members: readonly string[];
  /** `Group` where the file only says `Checkbox.Group = CheckboxGroup`. */
  onlyAs: string | undefined;
}

function partOf(file: string, name: string, text: string): Part {
  if (!/^\w+$/.test(name)) return { file, name, members: [], onlyAs: undefined };
  const [, onlyAs] = new RegExp(String.raw`^\w+\.([A-Z]\w*) = ${name};$`, 'm').exec(text) ?? [];
  const uses = text.match(new RegExp(String.raw`(?<!")\b${name}\b(?!/|\.mjs)`, 'g'))?.length ?? 0;
  return { file, name, members: membersOf(name, text), onlyAs: uses === 2 ? onlyAs : undefined };
}

/** Reads the installed packages: the parts of each component, and the style sheet of each class. */
export function readSheets(nodeModules: string): SheetsOf {
  const sheetsOfClasses = new Map<string, string>();
  const files = new Map<string, { parts: Part[]; sheet: string | undefined }>();
  const packages = new Set<string>();

  const readPackage = (name: string): void => {
    if (packages.has(name)) return;
    packages.add(name);
    const folder = join(nodeModules, name);
    const split = readdirSync(folder).includes('styles') ? readdirSync(join(folder, 'styles')) : [];
    const sheets = split.length > 0 ? split.map((file) => `styles/${file}`) : readdirSync(folder);
    for (const sheet of sheets.filter((file) => file.endsWith('.layer.css'))) {
      const text = readFileSync(join(folder, sheet), 'utf8');
      // A sheet also mentions classes of others; only its own appear alone before a block.
      for (const [, own = ''] of text.matchAll(/\.(m_[0-9a-f]+)(?=\s*\{)/g))
        sheetsOfClasses.set(own, `${name}/${sheet}`);
    }
  };

  const indexOf = (packageName: string): string => {
    readPackage(packageName);
    return `${packageName}/esm/index.mjs`;
  };

  const readFile = (path: string) => {
    const known = files.get(path);
    if (known) return known;
    const text = readFileSync(join(nodeModules, path), 'utf8');
    const classes = path.endsWith('.module.mjs') ? [...text.matchAll(/"(m_[0-9a-f]+)"/g)] : [];
    const sheet = classes.map(([, name = '']) => sheetsOfClasses.get(name)).find((found) => found !== undefined);
    const parts = readModule(path, text).imports.flatMap(({ specifier, names = ['*'] }) => {
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
      const file = isMantine(specifier) ? indexOf(specifier) : target;
      return file === undefined ? [] : names.map((name) => partOf(file, name, text));
    });
    const file = { parts, sheet };
    files.set(path, file);
    return file;
  };

  return (packageName, component, members) => {
    const found = new Set<string>();
    const seen = new Set<string>();
    const collect = (path: string, name: string, used: readonly string[]): void => {
      const key = `${path} ${name} ${used.join()}`;
      if (seen.has(key)) return;
      seen.add(key);
      const { parts, sheet } = readFile(path);
      if (sheet !== undefined) found.add(sheet);
      const isIndex = path.endsWith('/esm/index.mjs');
      for (const part of parts) {
        // An index contributes only the names that are imported from it, with the members that the importer uses.
        if (isIndex && (name === '*' || part.name === name)) collect(part.file, part.name, used);
        if (!isIndex && (part.onlyAs === undefined || used.includes(part.onlyAs)))
          collect(part.file, part.name, part.members);
      }
    };
    collect(indexOf(packageName), component, members);
    return found;
  };
}

export interface StyledModule extends Module {
  text: string;
}

/** The sheets that are loaded once a module has run: its own and those of its imports. */
function sheetsAfter(start: string, modules: ReadonlyMap<string, Module>): Set<string> {
  const sheets = new Set<string>();
  const seen = new Set<string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const { specifier } of modules.get(path)?.imports ?? []) {
      if (isSheet(specifier)) sheets.add(specifier);
      const target = targetOf(path, specifier);
      if (target !== undefined) waiting.push(target);
    }
  }
  return sheets;
}

/**
 * One sentence for each component that is used without its style sheet, and for each sheet that no component needs.
 * @param everywhere the module whose sheets every page loads
 */
export function styleFaults(modules: readonly StyledModule[], everywhere: string, sheetsOf: SheetsOf): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const shared = sheetsAfter(everywhere, byPath);
  const needed = new Set<string>();
  const faults: string[] = [];
  for (const { path, imports, text } of modules) {
    const loaded = sheetsAfter(path, byPath);
    for (const { specifier, typeOnly, names = ['*'] } of imports.filter((one) => isMantine(one.specifier))) {
      for (const name of typeOnly ? [] : names) {
        for (const sheet of sheetsOf(specifier, name, membersOf(name, text))) {
          needed.add(sheet);
          if (!shared.has(sheet) && !loaded.has(sheet)) faults.push(`${path} uses ${name} without ${sheet}.`);
        }
      }
    }
  }
  for (const { path, imports } of modules) {
    const sheets = imports.map(({ specifier }) => specifier).filter((sheet) => isSheet(sheet));
    const idle = sheets.filter((sheet) => !needed.has(sheet) && !foundations.test(sheet));
    faults.push(...idle.map((sheet) => `${path} imports ${sheet}, which no component in use needs.`));
  }
  return faults;
}
