import { type Operation, isSuccess } from '#web/features/reference/operations.ts';
import { exampleText } from '#web/features/reference/content.ts';
import type { OperationParameter } from '#web/features/reference/parameters.ts';
import type { ApiRequest, CallPart } from '#web/features/reference/samples/sample-call.ts';
import { writeQuery, writeSimple } from '#web/features/reference/write-parameter.ts';

/** The form values of a call. */
export interface FormValues {
  /** By place and name, as `query limit`; see `fieldKey`. Fields of a form body are in the place `body`. */
  parameters: Record<string, string>;
  body: string;
  /** Chosen files by field; the key of a body that is one file is `wholeBody`. */
  files?: Record<string, File>;
}

export const wholeBody = 'body';

export function fieldKey(place: string, name: string): string {
  return `${place} ${name}`;
}

/** The form as the document's own examples fill it, so that the first call needs nothing typed but the key. */
export function exampleValues(operation: Operation, requestKey = crypto.randomUUID()): FormValues {
  const { body } = operation;
  const [example] = body === undefined || body.parts.length > 0 ? [] : body.examples();
  const fields = (body?.parts ?? []).map(({ name, example: value, isFile, schema }): [string, string] => [
    fieldKey('body', name),
    isFile ? '' : value === '' ? textOf(schema.values?.[0]) : value,
  ]);
  return {
    parameters: Object.fromEntries([
      ...operation.parameters.map((each): [string, string] => [
        fieldKey(each.in, each.name),
        exampleOf(each, requestKey),
      ]),
      ...fields,
    ]),
    body: body === undefined || example === undefined ? '' : exampleText(body, example.value),
  };
}

/** A key is for one request: that of the document would be refused for the next one. */
function exampleOf({ name, example, required, schema }: OperationParameter, requestKey: string): string {
  if (/^idempotency-key$/i.test(name)) return required ? requestKey : '';
  if (example !== '' || !required) return example;
  const [first = schema.default] = schema.values ?? [];
  return textOf(first);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The call that a form says. Fields left empty are left out. */
export function requestOf(operation: Operation, baseUrl: string, values: FormValues): ApiRequest {
  const typed = (place: string) =>
    operation.parameters
      .filter((each) => each.in === place)
      .map((each): [OperationParameter, string] => [each, values.parameters[fieldKey(place, each.name)]?.trim() ?? '']);
  const path = typed('path').reduce(
    (text, [parameter, value]) =>
      text.replaceAll(
        `{${parameter.name}}`,
        value === '' ? `{${parameter.name}}` : writeSimple(parameter, value, encodeURIComponent),
      ),
    operation.path,
  );
  const query = typed('query')
    .filter(([, value]) => value !== '')
    .flatMap(([parameter, value]) => writeQuery(parameter, value));
  const body = bodyOf(operation, values);
  // The boundary of a multipart body belongs to its type, and only the program that writes it knows it.
  const isTyped = body !== null && !(typeof body === 'object' && 'parts' in body);
  return {
    method: operation.method,
    url: `${baseUrl.replace(/\/$/, '')}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: [
      ...(isTyped ? [['Content-Type', operation.body?.mediaType ?? ''] satisfies [string, string]] : []),
      ...typed('header')
        .filter(([, value]) => value !== '')
        .map(([parameter, value]): [string, string] => [
          headerName(parameter.name),
          writeSimple(parameter, value, String),
        ]),
    ],
    body,
    savesAs: savedAs(operation),
  };
}

function bodyOf({ body }: Operation, { parameters, body: text, files = {} }: FormValues): ApiRequest['body'] {
  if (body === undefined) return null;
  if (body.kind === 'file') return { file: files[wholeBody]?.name ?? 'file' };
  if (body.kind !== 'form' && body.kind !== 'multipart') return text.trim() === '' ? null : text;
  const parts = body.parts.flatMap(({ name, isFile, required }): CallPart[] => {
    const file = files[name];
    if (isFile) return file !== undefined || required ? [{ name, value: { file: file?.name ?? 'file' } }] : [];
    const value = parameters[fieldKey('body', name)]?.trim() ?? '';
    return value === '' ? [] : [{ name, value }];
  });
  if (body.kind === 'multipart') return { parts };
  const fields = parts.flatMap(({ name, value }): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return new URLSearchParams(fields).toString();
}

/** The first field that is needed and empty; its `fieldKey`. */
export function firstMissing(operation: Operation, values: FormValues): string | undefined {
  const isEmpty = (key: string) => (values.parameters[key] ?? '').trim() === '';
  const missing = operation.parameters.find((each) => each.required && isEmpty(fieldKey(each.in, each.name)));
  if (missing !== undefined) return fieldKey(missing.in, missing.name);
  if (operation.body?.kind === 'file' && values.files?.[wholeBody] === undefined) return fieldKey('body', wholeBody);
  const part = operation.body?.parts.find(
    ({ name, required, isFile }) =>
      required && (isFile ? values.files?.[name] === undefined : isEmpty(fieldKey('body', name))),
  );
  return part && fieldKey('body', part.name);
}

/** The parse error of a JSON body, in the browser's words; undefined when it is valid. */
export function bodyFault(operation: Operation, { body }: FormValues): string | undefined {
  if (operation.body?.kind !== 'json' || (!operation.body.required && body.trim() === '')) return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Documents write header names in lower case; people read Idempotency-Key. */
export function headerName(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

/** A binary response is saved under the last segments of its path: invoices.pdf. */
function savedAs({ answers, path }: Operation): string | null {
  const content = answers.find(isSuccess)?.content;
  if (content === undefined || content.kind !== 'file') return null;
  const [kind = 'bin'] = /[a-z0-9]+/.exec(content.mediaType.split('/')[1]?.replace('octet-stream', 'bin') ?? '') ?? [];
  const name = path.split('/').findLast((part) => /^[a-z][\w-]*$/.test(part) && part !== kind);
  return `${name ?? 'answer'}.${kind}`;
}
