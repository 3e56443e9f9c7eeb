import { type Document, isMap, isScalar, isSeq, parse, parseDocument, type YAMLSeq } from 'yaml';

/** A field cannot be set; the message says why. */
export class EditFault extends Error {}

/** One `field=value` of `octroi catalog set`. */
export interface Assignment {
  /** Names from the top of the file, joined by dots; an entry of a list by its id or its place, from 0. */
  field: string;
  /** Empty: the field is removed. */
  value: string;
}

/** Reads `field=value`. */
export function readAssignment(text: string): Assignment {
  const at = text.indexOf('=');
  if (at < 1) throw new EditFault(`"${text}" is not of the form field=value, such as plans.starter.price=999.`);
  return { field: text.slice(0, at), value: text.slice(at + 1) };
}

/** Sets fields of a product file. Comments and everything else stay as they are. */
export function editProduct(yaml: string, assignments: readonly Assignment[]): string {
  const file = parseDocument(yaml);
  const [error] = file.errors;
  if (error !== undefined) throw new EditFault(error.message);
  for (const { field, value } of assignments) {
    const path = pathOf(file, field.split('.'));
    if (value === '') file.deleteIn(path);
    else file.setIn(path, valueOf(value, file.getIn(path)));
  }
  return file.toString({ lineWidth: 120 });
}

/** Entries of lists are found by their ids. Throws EditFault for one that does not exist. */
function pathOf(file: Document, names: readonly string[]): (string | number)[] {
  const path: (string | number)[] = [];
  for (const name of names) {
    const node: unknown = path.length === 0 ? file.contents : file.getIn(path, true);
    if (isSeq(node)) path.push(entryOf(node, name, path));
    else if (node === undefined || node === null || isMap(node)) path.push(name);
    else throw new EditFault(`${path.join('.')} is a value, so it has no ${name}.`);
  }
  return path;
}

function entryOf({ items }: YAMLSeq, name: string, path: readonly (string | number)[]): number {
  const byId = items.findIndex((item) => isMap(item) && item.get('id') === name);
  if (byId >= 0) return byId;
  const place = /^\d{1,4}$/.test(name) ? Number(name) : Infinity;
  // The place after the last one adds an entry.
  if (place <= items.length) return place;
  const ids = items.flatMap((item) => (isMap(item) && typeof item.get('id') === 'string' ? [item.get('id')] : []));
  const known = ids.length > 0 ? `: ${ids.join(', ')}` : ` with ${items.length} entries`;
  throw new EditFault(`${path.join('.')} has no "${name}". It is a list${known}.`);
}

/** Numbers, yes and no, lists and maps are read as YAML; everything else is a text, and a text stays one. */
function valueOf(text: string, before: unknown): unknown {
  if (!/^(?:[[{'"]|-?\d[\d.]*$|true$|false$|null$)/.test(text)) return text;
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new EditFault(`${text} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const previous = isScalar(before) ? before.value : before;
  return typeof previous === 'string' && typeof value === 'number' ? text : value;
}
