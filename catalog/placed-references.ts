import { partAt } from '#shared/domain/json-pointer.ts';
import { isMembers } from '#shared/domain/members.ts';

/** A part with its reference replaced by what it refers to; members beside the reference come first. */
function followed(root: unknown, part: unknown, steps = 10): unknown {
  if (steps === 0 || !isMembers(part) || typeof part['$ref'] !== 'string') return part;
  const found = followed(root, partAt(root, part['$ref']), steps - 1);
  if (Array.isArray(found)) return found;
  if (!isMembers(found)) return part;
  const { $ref: _ref, ...own } = part;
  return { ...found, ...own };
}

/** The members of an object, each changed; other things as they are. */
const mapMembers = (part: unknown, change: (value: unknown, name: string) => unknown): unknown =>
  isMembers(part) ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value, name)])) : part;

/**
 * A document with references followed where OpenAPI allows none and people write them all the same: info, servers, tags, paths, operations,
 * lists of parameters, maps of responses and components.
 */
export function withPlacedReferences(document: unknown): unknown {
  const follow = (part: unknown): unknown => followed(document, part);
  const followItem = (item: unknown): unknown =>
    mapMembers(item, (value, name) => {
      if (name === 'parameters' || name === 'servers') return follow(value);
      if (name.startsWith('x-')) return value;
      return mapMembers(follow(value), (member, of) =>
        /^(?:parameters|responses|callbacks|servers|tags)$/.test(of) ? follow(member) : member,
      );
    });
  return mapMembers(document, (value, name) => {
    if (name === 'paths' || name === 'webhooks') return mapMembers(follow(value), followItem);
    if (name === 'components')
      return mapMembers(follow(value), (section, kind) => (kind.startsWith('x-') ? section : follow(section)));
    return name.startsWith('x-') ? value : follow(value);
  });
}

/**
 * A document whose references name it by its own address (`$self`, OpenAPI 3.2) as one whose references begin with `#`. Its address is the
 * upstream's own.
 */
export function withoutSelf(document: unknown): unknown {
  if (!isMembers(document) || typeof document['$self'] !== 'string') return document;
  const { $self, ...rest } = document;
  const base = 'http://document.invalid/';
  if (!URL.canParse($self, base)) return rest;
  const self = new URL($self, base).href;
  const shorten = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(shorten);
    return mapMembers(part, (value, name) => {
      if (name !== '$ref' || typeof value !== 'string' || value.startsWith('#')) return shorten(value);
      if (!URL.canParse(value, self)) return value;
      const url = new URL(value, self);
      return url.href.slice(0, url.href.length - url.hash.length) === self ? url.hash || '#' : value;
    });
  };
  return shorten(rest);
}
