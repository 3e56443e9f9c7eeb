import { decodedStep } from './openapi-document.ts';

/** Which components of an OpenAPI document its public part needs. */

type Members = Readonly<Record<string, unknown>>;

const place = /^#\/components\/([^/]+)\/([^/]+)/;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The components that `roots` refer to, directly or through others. What only a hidden operation uses is left out: its
 * schemas would tell of it.
 */
export function usedComponents(roots: unknown, components: Members): Record<string, unknown> {
  const used = new Map<string, Set<string>>();
  const waiting: unknown[] = [roots];
  const use = (kind: string, name: string): void => {
    const names = used.get(kind) ?? new Set();
    const section = components[kind];
    if (names.has(name) || !isObject(section) || !(name in section)) return;
    used.set(kind, names.add(name));
    waiting.push(section[name]);
  };
  const drain = (): void => {
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (Array.isArray(node)) waiting.push(...node);
      if (!isObject(node)) continue;
      for (const reference of referencesOf(node)) use(...reference);
      waiting.push(...Object.values(node).filter((value) => typeof value === 'object' && value !== null));
    }
  };
  drain();
  // The kinds of a schema with a discriminator name it, and it doesn't name them.
  const schemas = Object.entries(isObject(components['schemas']) ? components['schemas'] : {});
  for (let before = -1; before !== used.get('schemas')?.size;) {
    before = used.get('schemas')?.size ?? 0;
    for (const [name, schema] of schemas) {
      if (parentsOf(schema).some((parent) => used.get('schemas')?.has(parent) && isDivided(components, parent)))
        use('schemas', name);
    }
    drain();
    if (used.get('schemas') === undefined) break;
  }
  return Object.fromEntries(
    Object.entries(components).flatMap(([kind, section]) => {
      if (!isObject(section)) return [[kind, section]];
      const kept = Object.entries(section).filter(([name]) => used.get(kind)?.has(name));
      return kept.length === 0 ? [] : [[kind, Object.fromEntries(kept)]];
    }),
  );
}

/** What a node itself refers to: by `$ref`, or by the mapping of a discriminator, which may name schemas without a path. */
function referencesOf({ $ref, discriminator }: Members): [kind: string, name: string][] {
  const mapping = isObject(discriminator) && isObject(discriminator['mapping']) ? discriminator['mapping'] : {};
  const named = Object.values(mapping).filter((value) => typeof value === 'string');
  return [...(typeof $ref === 'string' ? [$ref] : []), ...named].map((reference) => {
    const [, kind, name] = place.exec(reference) ?? [undefined, 'schemas', reference];
    return [kind ?? '', decodedStep(name ?? '')];
  });
}

function parentsOf(schema: unknown): string[] {
  if (!isObject(schema) || !Array.isArray(schema['allOf'])) return [];
  return schema['allOf'].flatMap((part: unknown) =>
    isObject(part) ? referencesOf(part).flatMap(([kind, name]) => (kind === 'schemas' ? [name] : [])) : [],
  );
}

const isDivided = ({ schemas }: Members, name: string): boolean => {
  const schema = isObject(schemas) ? schemas[name] : undefined;
  return isObject(schema) && schema['discriminator'] !== undefined;
};
