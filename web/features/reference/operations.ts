import { asList, asMembers, type Members } from '#shared/domain/members.ts';
import { uniqueNames } from '#shared/domain/unique-names.ts';
import { type ApiDescription, asText, entriesOf, resolved } from '#web/features/reference/api-description.ts';
import { type OperationParameter, parametersOf } from '#web/features/reference/parameters.ts';
import { type Content, contentOf } from '#web/features/reference/content.ts';

export interface OperationAnswer {
  status: string;
  description: string;
  content: Content | undefined;
  /** A refusal of the gateway, which every operation has. */
  isGateway: boolean;
}

/** One operation of an API in the list of all; `readOperation` reads the rest of it. */
export interface OperationEntry {
  /** Part of the URL of its page. */
  id: string;
  method: string;
  /** Of a callback an expression, such as `{$request.body#/callbackUrl}`; empty for a webhook, whose receiver the document does not name. */
  path: string;
  tag: string;
  summary: string;
  deprecated: boolean;
  /** Units of quota that a call uses; undefined if the provider says nothing, which is one. */
  units: number | undefined;
  /** Only these statuses use them; undefined for all that count. */
  unitStatuses: string[] | undefined;
  /** As in the document: the operation, and the path that it stands in. */
  given: Members;
  item: Members;
}

/** An operation, with every reference followed as far as its first schema. */
export interface Operation extends OperationEntry {
  description: string;
  parameters: OperationParameter[];
  body: Content | undefined;
  answers: OperationAnswer[];
  /** Requests that the API sends to its callers because of this one; `readSentRequest` reads the rest of them. */
  callbacks: OperationEntry[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/** The operations of an API, in the order of its document. */
export function operationsOf(description: ApiDescription): OperationEntry[] {
  const free = uniqueNames();
  return entriesOf(description.paths).flatMap(([path, given]) =>
    entriesOfPath(description, given, ({ method, operation, name }) => {
      const [tag] = asList(operation['tags']);
      return {
        id: free(slug(name === '' ? `${method} ${path}` : name)),
        path,
        tag: typeof tag === 'string' && tag !== '' ? tag : description.info.title,
        summary: asText(operation['summary'])?.trim() || name || `${method.toUpperCase()} ${path}`,
      };
    }),
  );
}

/** The webhooks of an API: requests that it sends to its customers by itself. Their ids are none of an operation. `tag`: their common heading. */
export function webhooksOf(description: ApiDescription, tag: string): OperationEntry[] {
  const free = uniqueNames();
  // OpenAPI 3.0 has no webhooks; many documents write them as Redoc does.
  const own = entriesOf(description.webhooks ?? description['x-webhooks']).filter(
    // Those of the portal have a page for all products.
    ([, given]) => asMembers(given)?.['x-octroi-event'] === undefined,
  );
  return own.flatMap(([event, given]) =>
    entriesOfPath(description, given, ({ operation, name }) => ({
      id: free(`webhook~${slug(event)}`),
      path: '',
      tag,
      summary: asText(operation['summary'])?.trim() || name || event,
    })),
  );
}

/** The callbacks of an operation, each with the expression of its address. */
function callbacksOf(description: ApiDescription, given: unknown): OperationEntry[] {
  const free = uniqueNames();
  return entriesOf(given).flatMap(([event, callback]) =>
    entriesOf(resolved(description, callback)).flatMap(([path, item]) =>
      entriesOfPath(description, item, ({ operation }) => ({
        id: free(slug(event)),
        path,
        tag: '',
        summary: asText(operation['summary'])?.trim() || event,
      })),
    ),
  );
}

interface FoundOperation {
  method: string;
  operation: Members;
  /** Its `operationId`; may be empty. */
  name: string;
}

/** The operations of one path. */
function entriesOfPath(
  description: ApiDescription,
  given: unknown,
  describe: (found: FoundOperation) => Pick<OperationEntry, 'id' | 'path' | 'tag' | 'summary'>,
): OperationEntry[] {
  const item = resolved(description, given);
  return methods.flatMap((method) => {
    const operation = asMembers(item[method]);
    if (operation === undefined) return [];
    const { 'x-quota-units': units, 'x-quota-statuses': statuses } = operation;
    return {
      ...describe({ method, operation, name: asText(operation['operationId'])?.trim() ?? '' }),
      method: method.toUpperCase(),
      deprecated: operation['deprecated'] === true,
      units: typeof units === 'number' ? units : undefined,
      unitStatuses: statuses === undefined ? undefined : asList(statuses).map(String),
      given: operation,
      item,
    };
  });
}

/** A name as one segment of a URL. */
export function slug(name: string): string {
  return name.replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-').replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '') || 'operation';
}

/** Reads the rest of an operation. */
export function readOperation(description: ApiDescription, entry: OperationEntry): Operation {
  const { given, item } = entry;
  const answers = entriesOf(given['responses']).map(([status, answer]): OperationAnswer => {
    const response = resolved(description, answer);
    return {
      status,
      description: asText(response['description']) ?? '',
      content: contentOf(description, response, 'response'),
      isGateway: response['x-gateway-refusal'] === true,
    };
  });
  return {
    ...entry,
    description: asText(given['description']) ?? '',
    parameters: parametersOf(description, [...asList(item['parameters']), ...asList(given['parameters'])]),
    body: contentOf(description, resolved(description, given['requestBody']), 'request'),
    answers,
    callbacks: callbacksOf(description, given['callbacks']),
  };
}

/** Reads a callback or a webhook: the API writes its body, and the customer's server responds. */
export function readSentRequest(description: ApiDescription, entry: OperationEntry): Operation {
  const body = contentOf(description, resolved(description, entry.given['requestBody']), 'response');
  return { ...readOperation(description, entry), body };
}

/** Operations under the headings of their tags, in the order in which the tags first appear. */
export function byTag<Entry extends OperationEntry>(
  operations: readonly Entry[],
): { tag: string; operations: Entry[] }[] {
  const groups = new Map<string, Entry[]>();
  for (const operation of operations) {
    const members = groups.get(operation.tag);
    if (members === undefined) groups.set(operation.tag, [operation]);
    else members.push(operation);
  }
  return [...groups].map(([tag, members]) => ({ tag, operations: members }));
}

/** True for a successful response. */
export function isSuccess({ status }: OperationAnswer): boolean {
  return status.startsWith('2');
}

const searchTexts = new WeakMap<OperationEntry, string>();

function searchTextOf({ given, item, method, path, summary, tag }: OperationEntry): string {
  const parameters = [...asList(item['parameters']), ...asList(given['parameters'])];
  const names = parameters.map((each) => asText(asMembers(each)?.['name']) ?? '');
  const description = asText(given['description']) ?? '';
  return [method, path, tag, summary, asText(given['operationId']), description, ...names].join(' ').toLowerCase();
}

/** Operations that contain every search term: in path, summary, description, tag, or the name of a parameter. */
export function searchOperations(operations: readonly OperationEntry[], words: string): readonly OperationEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return operations;
  return operations.filter((operation) => {
    let text = searchTexts.get(operation);
    if (text === undefined) searchTexts.set(operation, (text = searchTextOf(operation)));
    return wanted.every((word) => text.includes(word));
  });
}

/** The operation of a logged call, such as `GET /tax-lookup/v1/gstin/27**********1ZV`, with the parameters that its path shows. */
export function operationOfCall(
  operations: readonly OperationEntry[],
  call: string,
): { operation: OperationEntry; parameters: Record<string, string> } | undefined {
  const [method = '', path = ''] = call.split(' ', 2);
  const segments = path.split('/');
  for (const operation of operations) {
    const wanted = operation.path.split('/');
    // The logged path begins with the product's own.
    const own = segments.slice(segments.length - wanted.length + 1);
    const isSame = wanted.slice(1).every((each, index) => each.startsWith('{') || each === own[index]);
    if (operation.method !== method || segments.length < wanted.length || !isSame) continue;
    const named = wanted.slice(1).flatMap((each, index): [string, string][] => {
      const value = own[index] ?? '';
      // Masked in the log.
      return each.startsWith('{') && !value.includes('*') ? [[each.slice(1, -1), value]] : [];
    });
    return { operation, parameters: Object.fromEntries(named) };
  }
  return undefined;
}
