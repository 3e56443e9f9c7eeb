import { isMap, isPair, isScalar, LineCounter, parseDocument, visit, type YAMLError } from 'yaml';
import { type OpenApiDocument, openApiDocument } from './openapi-document.ts';

/** The document cannot become a product; the message says why and what to do. */
export class ImportFault extends Error {}

export const bundle = 'Make one file of them, for example with npx @redocly/cli bundle, and import that.';

/** Reads JSON or YAML. Throws ImportFault for anything else than OpenAPI 3.0, 3.1 or 3.2, and RangeError for what is nested too deeply. */
export const readOpenApi = (text: string): OpenApiDocument => openApiOf(readYaml(text));

/** Throws ImportFault for anything else than OpenAPI 3.0, 3.1 or 3.2. */
export function openApiOf(parsed: unknown): OpenApiDocument {
  if (typeof parsed === 'object' && parsed !== null && 'swagger' in parsed)
    throw new ImportFault(
      'This is a Swagger 2.0 document. Convert it to OpenAPI 3 first, for example with npx swagger2openapi FILE --outfile openapi.json, and import that.',
    );
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ImportFault(
      'This is no OpenAPI 3 document: it does not begin with openapi and info. Name the JSON or YAML file itself, not a page about it.',
    );
  const read = openApiDocument.safeParse(parsed);
  if (read.success) return read.data;
  const [{ path, message } = { path: [], message: '' }] = read.error.issues;
  throw new ImportFault(referenceFault(parsed, path) ?? `This is no OpenAPI 3 document: ${path.join('.')}: ${message}`);
}

/** A reference in a place where nothing can be read through it: to another file, or to what is not there. */
function referenceFault(document: object, path: readonly PropertyKey[]): string | undefined {
  let part: unknown = document;
  for (const [depth, step] of [undefined, ...path].entries()) {
    if (step !== undefined) part = memberOf(part, step);
    const reference = memberOf(part, '$ref');
    if (typeof reference !== 'string') continue;
    const where = path.slice(0, depth).join('.') || 'The document';
    return reference.startsWith('#')
      ? `${where} refers to ${reference}, which is not in the document, or not what belongs there. Correct the reference.`
      : `${where} is in another file, ${reference}. ${bundle}`;
  }
  return undefined;
}

const memberOf = (part: unknown, name: PropertyKey): unknown =>
  typeof part === 'object' && part !== null ? Object.getOwnPropertyDescriptor(part, name)?.value : undefined;

function readYaml(text: string): unknown {
  const lines = new LineCounter();
  const file = parseDocument(text, { merge: true, lineCounter: lines });
  const [error] = file.errors;
  if (error?.code === 'RESOURCE_EXHAUSTION') throw new RangeError(error.message);
  if (error !== undefined) throw new ImportFault(syntaxFault(error, text, lines));
  asWritten(file);
  try {
    return file.toJS({ maxAliasCount: 1000 });
  } catch (reason) {
    if (reason instanceof RangeError) throw reason;
    throw new ImportFault(
      `This is neither JSON nor YAML: ${reason instanceof Error ? reason.message : String(reason)}`,
    );
  }
}

function syntaxFault({ code, pos: [from], message }: YAMLError, text: string, lines: LineCounter): string {
  if (code !== 'DUPLICATE_KEY') return `This is neither JSON nor YAML: ${message}`;
  const [key = ''] = /^(?:"(?:[^"\\]|\\.)*"|[^:\n]+)/.exec(text.slice(from)) ?? [];
  return `Line ${lines.linePos(from).line} has the key ${key} a second time in the same object. Programs read one of the two and lose the other: remove or rename one.`;
}

/** Members that are texts, wherever they stand beside each other in an OpenAPI document. */
const texts = new Set([
  'openapi',
  'title',
  'version',
  'summary',
  'description',
  'operationId',
  'name',
  'parent',
  'kind',
]);
/** The members that hold data of any shape, in which a name says nothing. */
const data = /^(example|examples|value|default|enum|const|x-.*)$/;
/** The members whose own members have names of the author's choice. */
const maps = /^(properties|patternProperties|dependentSchemas|schemas|definitions|\$defs|mapping|scopes|variables)$/;

/** Texts that YAML reads as numbers or truth values without quotes, such as `version: 1.0` or a tag `2024`, as they are written. */
function asWritten(file: ReturnType<typeof parseDocument>): void {
  visit(file, {
    Scalar: (_key, node, path) => {
      if (typeof node.value !== 'number' && typeof node.value !== 'boolean') return;
      const names = path.flatMap((each) => (isPair(each) && isScalar(each.key) ? [String(each.key.value)] : []));
      const name = names.at(-1) ?? '';
      const isText = isMap(path.at(-2)) && texts.has(name) && !maps.test(names.at(-2) ?? '');
      if (
        (isText || name === 'tags') &&
        !names.slice(0, -1).some((each) => data.test(each)) &&
        node.source !== undefined
      )
        node.value = node.source;
    },
  });
}

/** What a document refers to outside of itself, in its order. */
export function otherFilesOf(document: OpenApiDocument): string[] {
  const found = new Set<string>();
  const seen = new Set<object>();
  const look = (part: unknown, isMap = false): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if ('$ref' in part && typeof part.$ref === 'string' && !part.$ref.startsWith('#')) found.add(part.$ref);
    for (const [name, each] of Object.entries(part))
      if (isMap || !data.test(name)) look(each, !isMap && maps.test(name));
  };
  look(document);
  return [...found];
}
