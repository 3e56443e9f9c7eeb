import { decodedStep } from '#shared/domain/json-pointer.ts';
import { isMembers, type Members } from '#shared/domain/members.ts';

/** Which components of an OpenAPI document its public part needs. */

const place = /^#\/components\/([^/]+)\/([^/]+)/;

/** Where components can be found by names of JSON Schema 2020-12: `$id` and its like, and anchors. */
interface Names {
  /** By an anchor, or the last part of an id: every component that has it. */
  anchors: Map<string, [kind: string, name: string][]>;
  ids: Map<string, [kind: string, name: string][]>;
}

function namesIn(components: Members): Names {
  const names: Names = { anchors: new Map(), ids: new Map() };
  for (const [kind, section] of Object.entries(components)) {
    for (const [name, component] of Object.entries(isMembers(section) ? section : {})) {
      const waiting: unknown[] = [component];
      const note = (known: Names['ids'], word: unknown): void => {
        if (typeof word === 'string') known.set(word, [...(known.get(word) ?? []), [kind, name]]);
      };
      for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
        if (Array.isArray(node)) waiting.push(...node);
        if (!isMembers(node)) continue;
        note(names.anchors, node['$anchor']);
        note(names.anchors, node['$dynamicAnchor']);
        if (typeof node['$id'] === 'string') note(names.ids, lastPart(node['$id']));
        waiting.push(...Object.values(node).filter((value) => typeof value === 'object' && value !== null));
      }
    }
  }
  return names;
}

/** Ids are absolute or relative to one above; what they end with tells them apart well enough to keep one too many, not one too few. */
const lastPart = (id: string): string =>
  id
    .replace(/[#?].*$/, '')
    .replace(/(?<!\/)\/+$/, '')
    .split('/')
    .at(-1) ?? '';

/** The components that a reference by id or anchor may lead to; undefined for one that may lead to any. */
function named(reference: string, { anchors, ids }: Names): [kind: string, name: string][] | undefined {
  const [uri = '', fragment = ''] = reference.split('#');
  if (uri === '' && (fragment === '' || fragment.startsWith('/'))) return [];
  if (uri !== '') return ids.get(lastPart(uri)) ?? (ids.size === 0 ? [] : undefined);
  return anchors.get(decodedStep(fragment));
}

/**
 * The components that `roots` refer to, directly or through others. What only a hidden operation uses is left out: its
 * schemas would tell of it.
 */
export function usedComponents(roots: unknown, components: Members): Record<string, unknown> {
  const used = new Map<string, Set<string>>();
  const waiting: unknown[] = [roots];
  const names = namesIn(components);
  const schemas = isMembers(components['schemas']) ? components['schemas'] : {};
  const use = (kind: string, name: string): void => {
    const known = used.get(kind) ?? new Set();
    const section = components[kind];
    if (known.has(name) || !isMembers(section) || !(name in section)) return;
    used.set(kind, known.add(name));
    waiting.push(section[name]);
  };
  const drain = (): void => {
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (Array.isArray(node)) waiting.push(...node);
      if (!isMembers(node)) continue;
      for (const reference of referencesOf(node)) use(...reference);
      for (const reference of namingOf(node).filter((each) => !Object.hasOwn(schemas, each))) {
        const found =
          named(reference, names) ?? Object.keys(schemas).map((name): [string, string] => ['schemas', name]);
        for (const one of found) use(...one);
      }
      waiting.push(...Object.values(node).filter((value) => typeof value === 'object' && value !== null));
    }
  };
  drain();
  // The kinds of a schema with a discriminator name it, and it doesn't name them.
  for (let before = -1; before !== used.get('schemas')?.size;) {
    before = used.get('schemas')?.size ?? 0;
    for (const [name, schema] of Object.entries(schemas)) {
      if (parentsOf(schema).some((parent) => used.get('schemas')?.has(parent) && isDivided(components, parent)))
        use('schemas', name);
    }
    drain();
    if (used.get('schemas') === undefined) break;
  }
  return Object.fromEntries(
    Object.entries(components).flatMap(([kind, section]) => {
      if (!isMembers(section)) return [[kind, section]];
      const kept = Object.entries(section).filter(([name]) => used.get(kind)?.has(name));
      return kept.length === 0 ? [] : [[kind, Object.fromEntries(kept)]];
    }),
  );
}

/** What a node itself refers to by the place of a component: by `$ref` and its like, or by a discriminator, which may name schemas without a path. */
function referencesOf(node: Members): [kind: string, name: string][] {
  return [...pointersOf(node), ...mappedOf(node)].flatMap((reference) => {
    const [, kind, name] = place.exec(reference) ?? [];
    return kind === undefined || name === undefined ? [] : [[kind, decodedStep(name)]];
  });
}

/** What it refers to in another way: by an anchor or an id. A mapping may name a schema alone. */
function namingOf(node: Members): string[] {
  return [...pointersOf(node), ...mappedOf(node)].filter((reference) => !place.test(reference));
}

function pointersOf(node: Members): string[] {
  return ['$ref', '$dynamicRef', '$recursiveRef'].map((word) => node[word]).filter((each) => typeof each === 'string');
}

function mappedOf({ discriminator }: Members): string[] {
  if (!isMembers(discriminator)) return [];
  const { mapping, defaultMapping } = discriminator;
  const mapped = [...(isMembers(mapping) ? Object.values(mapping) : []), defaultMapping];
  return mapped.flatMap((each) => {
    if (typeof each !== 'string') return [];
    return /^[A-Za-z0-9._-]+$/.test(each) ? [each, `#/components/schemas/${each}`] : [each];
  });
}

function parentsOf(schema: unknown): string[] {
  if (!isMembers(schema) || !Array.isArray(schema['allOf'])) return [];
  return schema['allOf'].flatMap((part: unknown) =>
    isMembers(part) ? referencesOf(part).flatMap(([kind, name]) => (kind === 'schemas' ? [name] : [])) : [],
  );
}

const isDivided = ({ schemas }: Members, name: string): boolean => {
  const schema = isMembers(schemas) ? schemas[name] : undefined;
  return isMembers(schema) && schema['discriminator'] !== undefined;
};
