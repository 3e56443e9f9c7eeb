import { type Operation, isSuccess } from '#web/features/reference/operations.ts';
import type { ApiRequest } from '#web/features/reference/samples/sample-call.ts';

/** The form values of a call. */
export interface FormValues {
  /** By place and name, as `query limit`; see `fieldKey`. */
  parameters: Record<string, string>;
  body: string;
}

export function fieldKey(place: string, name: string): string {
  return `${place} ${name}`;
}

/** The form as the document's own examples fill it, so that the first call needs nothing typed but the key. */
export function exampleValues(operation: Operation): FormValues {
  const [example] = operation.body?.examples ?? [];
  return {
    parameters: Object.fromEntries(
      operation.parameters.map((each) => [fieldKey(each.in, each.name), each.required ? each.example : '']),
    ),
    body: example === undefined ? '' : JSON.stringify(example.value, null, 2),
  };
}

/** The call that a form says. Fields left empty are left out. */
export function requestOf(operation: Operation, baseUrl: string, values: FormValues): ApiRequest {
  const typed = (place: string) =>
    operation.parameters
      .filter((each) => each.in === place)
      .map(({ name }): [string, string] => [name, values.parameters[fieldKey(place, name)]?.trim() ?? '']);
  const path = typed('path').reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, value === '' ? `{${name}}` : encodeURIComponent(value)),
    operation.path,
  );
  const query = typed('query')
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const sendsBody = operation.body !== undefined && values.body.trim() !== '';
  return {
    method: operation.method,
    url: `${baseUrl.replace(/\/$/, '')}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: [
      ...(sendsBody ? [['Content-Type', operation.body?.mediaType ?? ''] satisfies [string, string]] : []),
      ...typed('header')
        .filter(([, value]) => value !== '')
        .map(([name, value]): [string, string] => [headerName(name), value]),
    ],
    body: sendsBody ? values.body : null,
    savesAs: savedAs(operation),
  };
}

/** The first field that is needed and empty; its `fieldKey`. */
export function firstMissing(operation: Operation, values: FormValues): string | undefined {
  const missing = operation.parameters.find(
    (each) => each.required && (values.parameters[fieldKey(each.in, each.name)] ?? '').trim() === '',
  );
  return missing && fieldKey(missing.in, missing.name);
}

/** The parse error of a JSON body, in the browser's words; undefined when it is valid. */
export function bodyFault(operation: Operation, { body }: FormValues): string | undefined {
  if (operation.body === undefined || !/\bjson\b/.test(operation.body.mediaType)) return undefined;
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
  const type = answers.find(isSuccess)?.content?.mediaType ?? 'application/json';
  if (/json|text|xml/.test(type)) return null;
  const kind = type.split('/')[1] ?? 'bin';
  const name = path.split('/').findLast((part) => /^[a-z]/.test(part) && part !== kind);
  return `${name ?? 'answer'}.${kind}`;
}
