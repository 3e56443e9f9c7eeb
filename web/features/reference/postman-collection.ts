import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { exampleValues, fieldKey, requestOf } from '#web/features/reference/api-request.ts';
import { type ApiRequest, keyHeader } from '#web/features/reference/samples/sample-call.ts';
import { type Operation, byTag } from '#web/features/reference/operations.ts';

/**
 * The API as a collection in Postman's format 2.1 (schema.getpostman.com), a folder for each tag and every call with the examples
 * of its document. Address and key are variables of the collection; the key is of the kind that Postman keeps to itself.
 */
export function postmanCollection(description: ApiDescription, operations: readonly Operation[], baseUrl: string) {
  const { title, description: about = '', version } = description.info;
  return {
    info: {
      name: title,
      description: about,
      version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: keyHeader, type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: baseUrl.replace(/\/$/, ''), type: 'string' },
      { key: 'apiKey', value: '', type: 'secret' },
    ],
    item: byTag(operations).map(({ tag, operations: members }) => ({ name: tag, item: members.map(itemOf) })),
  };
}

function postmanBody(body: NonNullable<ApiRequest['body']>) {
  if (typeof body === 'string') return { mode: 'raw', raw: body, options: { raw: { language: 'json' } } };
  if ('file' in body) return { mode: 'file', file: { src: '' } };
  const formdata = body.parts.map(({ name, value }) =>
    typeof value === 'string' ? { key: name, value, type: 'text' } : { key: name, src: '', type: 'file' },
  );
  return { mode: 'formdata', formdata };
}

function itemOf(operation: Operation) {
  const { summary, description, method, path, parameters } = operation;
  const { headers, body } = requestOf(operation, '', exampleValues(operation));
  const at = (place: string) => parameters.filter((each) => each.in === place);
  const segments = path.split('/').filter(Boolean);
  const query = at('query').map(({ name, required, example, description: about = '' }) => ({
    key: name,
    value: example,
    description: about,
    disabled: !required && example === '',
  }));
  // The address as Postman shows it: without disabled parameters.
  const shown = query
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const postmanPath = segments.map((part) => part.replace(/^\{(.+)\}$/, ':$1'));
  return {
    name: summary,
    request: {
      method,
      description,
      header: headers.map(([key, value]) => ({ key, value })),
      ...(body !== null && { body: postmanBody(body) }),
      url: {
        raw: `{{baseUrl}}/${postmanPath.join('/')}${shown.length === 0 ? '' : `?${shown.join('&')}`}`,
        host: ['{{baseUrl}}'],
        path: postmanPath,
        query,
        variable: at('path').map(({ name, example, description: about = '' }) => ({
          key: name,
          value: exampleValues(operation).parameters[fieldKey('path', name)] ?? example,
          description: about,
        })),
      },
    },
    response: [],
  };
}
