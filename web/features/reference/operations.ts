import {
  type ApiDescription,
  type Members,
  asList,
  asMembers,
  asText,
  entriesOf,
  resolved,
} from '#web/features/reference/api-description.ts';
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
  /** Names of the requests that the API sends to its callers. */
  callbacks: string[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/** The operations of an API, in the order of its document. */
export function operationsOf(description: ApiDescription): OperationEntry[] {
  const taken = new Set<string>();
  const free = (wanted: string): string => {
    let id = wanted;
    for (let more = 2; taken.has(id); more += 1) id = `${wanted}-${more}`;
    taken.add(id);
    return id;
  };
  return entriesOf(description.paths).flatMap(([path, given]) => {
    const item = resolved(description, given);
    return methods.flatMap((method) => {
      const found = asMembers(item[method]);
      if (found === undefined) return [];
      const name = asText(found['operationId'])?.trim() ?? '';
      const [tag] = asList(found['tags']);
      return {
        id: free(slug(name === '' ? `${method} ${path}` : name)),
        method: method.toUpperCase(),
        path,
        tag: typeof tag === 'string' && tag !== '' ? tag : description.info.title,
        summary: asText(found['summary'])?.trim() || name || `${method.toUpperCase()} ${path}`,
        deprecated: found['deprecated'] === true,
        units: typeof found['x-quota-units'] === 'number' ? found['x-quota-units'] : undefined,
        unitStatuses:
          found['x-quota-statuses'] === undefined ? undefined : asList(found['x-quota-statuses']).map(String),
        given: found,
        item,
      };
    });
  });
}

/** A name as one segment of a URL. */
function slug(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'operation';
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
    callbacks: entriesOf(given['callbacks']).map(([name]) => name),
  };
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
