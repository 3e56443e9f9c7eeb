import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Import {
  /** As written: `#shared/domain/money.ts`, `./store.ts`, `zod`. */
  specifier: string;
  /** True for an import that disappears at run time. */
  typeOnly: boolean;
  /** The names that are imported at run time; `*` and `default` for everything. */
  names?: readonly string[];
}

export interface Module {
  /** Relative to the project's folder, with slashes. */
  path: string;
  lines: number;
  imports: Import[];
  /** How often the type `any` is written. */
  anys: number;
  comments: string[];
  /** Names of properties and methods, and texts, that begin with an underscore, as Node's undocumented ones do. */
  underscored: string[];
  /** Methods called that read all of a response, however long: `.text()` and the like. */
  wholeBodies: string[];
  /** True when it only re-exports. */
  isBarrel: boolean;
  /** The parse error, if any. */
  unreadable?: string;
}

/** Whether a path is that of test code: a test, a `test-…` file, or anything in a `test` folder. */
export const isTest = (path: string): boolean =>
  /\.(test|long)\.tsx?$/.test(path) || /(^|\/)test-[\w-]+\.tsx?$/.test(path) || /\/test\//.test(path);

const codeFile = /\.(ts|tsx|mjs|js)$/;
const notOurs = new Set(['node_modules', 'build', 'data', 'coverage', 'test-results', 'playwright-report']);

/** All code files below a folder, except in hidden folders. */
export function listCodeFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.name.startsWith('.') || notOurs.has(entry.name)) return [];
    if (entry.isDirectory()) return listCodeFiles(root, path);
    return codeFile.test(entry.name) ? [path] : [];
  });
}

/** Parses one module; imports come from the syntax tree, so a commented or quoted one does not count. */
export function readModule(path: string, text: string): Module {
  const parsed = parseSync(path, text);
  const imports: Import[] = [];
  for (const { moduleRequest, entries } of parsed.module.staticImports) {
    const typeOnly = entries.length > 0 && entries.every((entry) => entry.isType);
    const names = entries.filter((entry) => !entry.isType).map(({ importName }) => importName.name ?? '*');
    imports.push({ specifier: moduleRequest.value, typeOnly, names });
  }
  for (const { entries } of parsed.module.staticExports) {
    for (const { moduleRequest, isType } of entries) {
      if (moduleRequest !== null) imports.push({ specifier: moduleRequest.value, typeOnly: isType });
    }
  }
  let anys = 0;
  const underscored: string[] = [];
  const wholeBodies: string[] = [];
  walkSyntax(parsed.program, (node) => {
    if (node['type'] === 'TSAnyKeyword') anys += 1;
    const name = nameOf(node['property'] ?? node['key']) ?? (node['type'] === 'Literal' ? node['value'] : undefined);
    if (typeof name === 'string' && /^_[a-z][a-z]*$/i.test(name)) underscored.push(name);
    const method = isBare(node['arguments']) && isNode(node['callee']) ? nameOf(node['callee']['property']) : undefined;
    if (method !== undefined && /^(arrayBuffer|blob|bytes|formData|json|text)$/.test(method)) wholeBodies.push(method);
    const source = literalOf(node['source']);
    if (node['type'] === 'ImportExpression' && source !== undefined)
      imports.push({ specifier: source, typeOnly: false });
    if (node['type'] === 'TSImportType' && source !== undefined) imports.push({ specifier: source, typeOnly: true });
  });
  return {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports,
    anys,
    underscored,
    wholeBodies,
    comments: parsed.comments.map((comment) => comment.value),
    isBarrel: parsed.program.body.length > 0 && parsed.program.body.every(passesOn),
    ...(parsed.errors[0] === undefined ? {} : { unreadable: parsed.errors[0].message }),
  };
}

interface Statement {
  type: string;
  source?: unknown;
}

function passesOn({ type, source }: Statement): boolean {
  return type.startsWith('Export') && source !== undefined && source !== null;
}

/** A node of the syntax tree. */
export type SyntaxNode = Record<string, unknown>;

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null;
}

/** Visits every node below a value, itself included. */
export function walkSyntax(value: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const item of value) walkSyntax(item, visit);
  else if (isNode(value)) {
    visit(value);
    for (const child of Object.values(value)) walkSyntax(child, visit);
  }
}

function nameOf(value: unknown): string | undefined {
  return isNode(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
}

const isBare = (list: unknown): boolean => Array.isArray(list) && list.length === 0;

function literalOf(source: unknown): string | undefined {
  return isNode(source) && typeof source['value'] === 'string' ? source['value'] : undefined;
}

/** Reads every module of a project. */
export function readModules(root: string): Module[] {
  return listCodeFiles(root).map((path) => readModule(path, readFileSync(join(root, path), 'utf8')));
}

/** The file that an internal import names, relative to the project's folder; undefined for packages. */
export function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
}
