import { Document, isMap, isScalar } from 'yaml';
import { z } from 'zod';
import { sampleOfSchema } from '#shared/domain/schema-sample.ts';
import { addressOf } from './imported-address.ts';
import { credentialsOf } from './imported-credentials.ts';
import { meteredExample, meteredOf, unitsFault } from './imported-units.ts';
import {
  isForwarded,
  listOperations,
  type Listed,
  type OpenApiDocument,
  type Operation,
  parametersOf,
} from './openapi-document.ts';
import { firstSentence, plainText } from './plain-text.ts';
import { slug } from './plan-schema.ts';
import { bundle, ImportFault, otherFilesOf } from './read-openapi.ts';
import { latinLetters } from './latin-letters.ts';

/** A product file made from an OpenAPI document, to be completed by its provider. */
export interface ImportedProduct {
  id: string;
  /** The file for catalog/. */
  yaml: string;
  /** Name of the file beside it that holds the document. */
  openApiFile: string;
  /** What is still to be decided or filled in, one sentence each. */
  remaining: string[];
  /** Those of them that are about the document, whatever file the product has. */
  documentNotes: string[];
  name: string;
  gatewayPath: string;
  upstreamUrl: string;
  plans: DraftedPlan[];
}

/** What of a plan is decided first. The price is in rupees. */
export interface DraftedPlan {
  id: string;
  name: string;
  price: number;
  dailyQuota: number;
  monthlyQuota: number;
  rps: number;
}

export interface ImportChoices {
  /** Default: from the document's title. */
  id?: string | undefined;
  /** Default: the document's title. */
  name?: string | undefined;
  /** Default: the id. */
  gatewayPath?: string | undefined;
  /** In place of the free and the paid plan. */
  plans?: readonly DraftedPlan[] | undefined;
  /** Default: the first server of the document whose address is complete. */
  upstreamUrl?: string | undefined;
  /** Where the document was read from; its servers may be relative to it. */
  source?: string | undefined;
  /** Its place in the marketplace. */
  position: number;
}

const plansToEdit: readonly DraftedPlan[] = [
  { id: 'free', name: 'Free', price: 0, dailyQuota: 100, monthlyQuota: 1000, rps: 2 },
  { id: 'starter', name: 'Starter', price: 499, dailyQuota: 1000, monthlyQuota: 20_000, rps: 5 },
];
const descriptions: ReadonlyMap<string, string> = new Map([
  ['free', 'For trying things out.'],
  ['starter', 'For one product with steady traffic.'],
]);

/** Writes the product file of an API: texts, address, credentials, a sample, and a free and a paid plan to edit. */
export function importOpenApi(document: OpenApiDocument, choices: ImportChoices): ImportedProduct {
  const id = idOf(document, choices);
  const openApiFile = `${id}.openapi.json`;
  // What is internal is refused by its mark in the document (refused-calls.ts), so it decides nothing of the product.
  const { sold: operations, internal } = listOperations(document);
  const [otherFile] = otherFilesOf(document);
  if (operations.length === 0 && otherFile !== undefined)
    throw new ImportFault(`The operations of the document are in other files, such as ${otherFile}. ${bundle}`);
  if (operations.length === 0)
    throw new ImportFault(
      `The document has no operations${internal.length > 0 ? ' but those marked x-internal' : ''}, so there is nothing to sell.`,
    );
  const fault = unitsFault(operations);
  if (fault !== undefined) throw new ImportFault(fault);
  const documentNotes: string[] = [];
  if (otherFile !== undefined)
    documentNotes.push(`Parts of the document are in other files, such as ${otherFile}, and missing here. ${bundle}`);
  const upstreamUrl = addressOf(document, operations, choices, documentNotes);
  if (upstreamUrl === undefined)
    throw new ImportFault('The document names no server. Say where the API runs (--upstream https://…).');
  if (internal.length > 0)
    documentNotes.push(
      `${internal.map(({ method, path }) => `${method.toUpperCase()} ${path}`).join(', ')}: the document marks them x-internal, so the gateway refuses them with 404. Take the mark away from what customers shall call.`,
    );
  sayOddPaths(document, operations, documentNotes);
  const remaining = [...documentNotes];
  const features = featuresOf(document, operations);
  const described = plainText(document.info.description ?? '');
  const about = described === '' ? contentsOf(operations.length, features) : described;
  if (described === '')
    remaining.push('Write tagline, description and longDescription: the document has none, so they list its calls.');
  const isVersioned = operations.every(({ path }) => isForwarded('versioned', path));
  const credentials = credentialsOf(document, operations, id, remaining);
  const metered = meteredOf(operations, remaining);
  const gateway = {
    ...(isVersioned ? {} : { paths: 'any' }),
    ...(credentials.length > 0 ? { credentials } : {}),
  };
  const name = choices.name ?? document.info.title;
  const gatewayPath = choices.gatewayPath ?? id;
  const plans = [...(choices.plans ?? plansToEdit)];
  const product = {
    id,
    position: choices.position,
    name,
    tagline: firstSentence(plainText(document.info.summary ?? '')) || firstSentence(about),
    description: firstSentence(about),
    longDescription: about.slice(0, 800),
    features,
    sample: sampleOf(document, operations),
    gatewayPath,
    upstreamUrl,
    openapi: { file: openApiFile },
    ...(Object.keys(gateway).length > 0 ? { gateway } : {}),
    ...(metered.length > 0 ? { metered } : {}),
    sac: '998439',
    gstRatePercent: 18,
    plans: plans.map(({ id: plan, name: planName, ...terms }) => ({
      id: plan,
      category: 'standard',
      name: planName,
      description: descriptions.get(plan) ?? planName,
      ...terms,
    })),
  };
  remaining.push(
    'Confirm the SAC and the GST rate with your accountant.',
    'Set prices, quotas and calls per second of the plans.',
    'Add useCases (title and text) for the product page if you like.',
    'Add a sandbox if customers shall have test keys.',
  );
  const file = new Document(product);
  file.commentBefore =
    ' A product for sale, made from its OpenAPI document. `octroi catalog check` says what is left. Prices are in rupees.';
  comment(file, 'sac', ' To be confirmed by your accountant, like the rate.');
  comment(file, 'plans', [...(metered.length > 0 ? [] : meteredExample(operations)), ' Edit these.'].join('\n'));
  const yaml = file.toString({ lineWidth: 120 });
  return { id, yaml, openApiFile, remaining, documentNotes, name, gatewayPath, upstreamUrl, plans };
}

function comment(file: Document, key: string, words: string): void {
  if (!isMap(file.contents)) return;
  for (const { key: name } of file.contents.items) if (isScalar(name) && name.value === key) name.commentBefore = words;
}

/** The id of the product that a document becomes. */
export function idOf({ info }: OpenApiDocument, choices: Pick<ImportChoices, 'id'>): string {
  const id = choices.id ?? slugOf(info.title);
  if (slug.safeParse(id).success) return id;
  throw new ImportFault(
    `${JSON.stringify(id)} is no id: it has 2 to 41 small letters, digits and hyphens, and begins with a letter.`,
  );
}

function slugOf(title: string): string {
  const made = latinLetters(title)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  if (made.length < 2) throw new ImportFault(`The title "${title}" gives no id. Choose one (--id).`);
  return made;
}

/** What of the document's calls the gateway or the portal treats otherwise than the document says. */
function sayOddPaths({ paths }: OpenApiDocument, operations: readonly Listed[], remaining: string[]): void {
  const withQuery = operations.filter(({ path }) => /[?#]/.test(path));
  const [first] = withQuery;
  if (first !== undefined)
    remaining.push(
      `Check ${[...new Set(withQuery.map(({ path }) => path))].join(', ')}: calls are told apart by method and path alone, so what follows ? or # changes neither their price nor the plans they are in.`,
    );
  if (operations.some(({ method }) => method === 'query'))
    remaining.push(
      'Calls with the method QUERY are forwarded and counted; the reference of the portal does not list them.',
    );
  const others = Object.entries(paths).flatMap(([path, { additionalOperations }]) =>
    typeof additionalOperations === 'object' && additionalOperations !== null
      ? Object.keys(additionalOperations).map((method) => `${method} ${path}`)
      : [],
  );
  if (others.length > 0)
    remaining.push(`${others.join(', ')}: the gateway forwards no such method, so the public document leaves it out.`);
}

/** The document's groups, or its first operations if it has none. */
function featuresOf(document: OpenApiDocument, operations: readonly Listed[]): { title: string; text: string }[] {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
  const tags = [...used].slice(0, 6).map((name) => {
    const count = operations.filter(({ operation }) => operation.tags?.includes(name)).length;
    const described = document.tags?.find((tag) => tag.name === name)?.description;
    return { title: name, text: firstSentence(plainText(described ?? '')) || countOf(count) };
  });
  if (tags.length > 0) return tags;
  return operations.slice(0, 4).map(({ method, path, operation }) => {
    const title = operation.summary?.trim();
    return {
      title: title === undefined || title === '' ? `${method.toUpperCase()} ${path}` : title,
      text: `${method.toUpperCase()} ${path}`,
    };
  });
}

/** What an API without a description offers: its groups or first calls by name. */
function contentsOf(count: number, features: readonly { title: string }[]): string {
  const shown = features.slice(0, 3).map(({ title }) => title);
  const list = shown.length < features.length ? `${shown.join(', ')} and more` : shown.join(', ');
  return `${countOf(count).slice(0, -1)}: ${list}.`;
}

const countOf = (count: number): string => (count === 1 ? 'One call.' : `${count} calls.`);

/** A request and its response: the first GET with an example or a schema, without path parameters if there is one. */
function sampleOf(document: OpenApiDocument, operations: readonly Listed[]): { request: string; answer: string } {
  const gets = operations.filter(({ method }) => method === 'get');
  const [chosen] = [...gets.filter(({ path }) => !path.includes('{')), ...gets, ...operations];
  if (chosen === undefined) throw new ImportFault('The document has no operations, so there is nothing to sell.');
  const path = chosen.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => exampleValue(document, chosen, name));
  const answer = JSON.stringify(exampleResponse(document, chosen.operation) ?? {}, null, 2);
  const lines = answer.split('\n');
  return {
    request: `${chosen.method.toUpperCase()} ${path}`,
    answer: lines.length <= 20 ? answer : [...lines.slice(0, 19), '…'].join('\n'),
  };
}

const list = z.array(z.unknown()).catch([]).default([]);
const schemaOfParameter = z.object({
  example: z.unknown().optional(),
  examples: list,
  default: z.unknown().optional(),
  enum: list,
});
const noSchema = schemaOfParameter.parse({});
const pathParameter = z.object({
  example: z.unknown().optional(),
  examples: z
    .record(z.string(), z.object({ value: z.unknown().optional() }))
    .catch({})
    .default({}),
  schema: schemaOfParameter.catch(noSchema).default(noSchema),
});

/** What the document gives as an example of a parameter of the path, or of its schema. */
function exampleValue(document: OpenApiDocument, listed: Listed, name: string): string {
  const found = parametersOf(document, listed).findLast((each) => each.in === 'path' && each.name === name);
  const { example, examples, schema } = pathParameter.parse(found ?? {});
  const [named] = Object.values(examples);
  const values = [example, named?.value, schema.example, schema.examples[0], schema.default, schema.enum[0]];
  const [value = 1] = values.flatMap((each) =>
    (typeof each === 'string' && each !== '') || typeof each === 'number' ? [each] : [],
  );
  return encodeURIComponent(value);
}

function exampleResponse(document: OpenApiDocument, { responses = {} }: Operation): unknown {
  const good = responses['200'] ?? responses['201'] ?? responses['default'];
  const content = followed(document, good, 'content');
  const json = Object.entries(content ?? {}).find(([type]) => /\bjson\b/.test(type))?.[1];
  if (typeof json !== 'object' || json === null) return undefined;
  if ('example' in json) return json.example;
  if ('examples' in json && typeof json.examples === 'object' && json.examples !== null) {
    const [first] = Object.values(json.examples);
    if (typeof first === 'object' && first !== null && 'value' in first) return first.value;
  }
  if (!('schema' in json)) return undefined;
  return sampleOfSchema(document, json.schema, { depths: [15, 5, 3, 2, 1], direction: 'response' }).value;
}

/** A member of an object that may be a reference to a response of the document. `steps`: references may go in a circle. */
function followed(document: OpenApiDocument, part: unknown, member: string, steps = 10): object | undefined {
  if (steps === 0 || typeof part !== 'object' || part === null) return undefined;
  const { $ref, [member]: found }: Record<string, unknown> = { ...part };
  if (typeof found === 'object' && found !== null) return found;
  const name = /^#\/components\/responses\/(.+)$/.exec(String($ref))?.[1];
  return name === undefined ? undefined : followed(document, document.components?.responses?.[name], member, steps - 1);
}
