import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

/** Compares live responses with an OpenAPI 3.1 document: status, headers and body. */

const header = z.looseObject({
  $ref: z.string().optional(),
  required: z.boolean().optional(),
  schema: z.unknown().optional(),
});
const response = z.looseObject({
  $ref: z.string().optional(),
  headers: z.record(z.string(), header).default({}),
  content: z.record(z.string(), z.looseObject({ schema: z.unknown().optional() })).default({}),
});
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().default(false) }))
    .default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({})) }).optional(),
  responses: z.record(z.string(), response),
});
export const apiDocument = z.looseObject({
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.looseObject({ examples: z.array(z.unknown()).default([]) })),
    headers: z.record(z.string(), header),
    responses: z.record(z.string(), response),
  }),
});
export type ApiDocument = z.output<typeof apiDocument>;

export interface LiveResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Headers of HTTP itself and of CORS, which documents leave out; everything else must be described. */
const undescribed = new Set(
  'connection content-disposition content-length content-type cache-control date keep-alive transfer-encoding vary octroi-replayed octroi-replay-of octroi-problem'.split(
    ' ',
  ),
);

const last = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Returns what is wrong with a response to a call of an operation; empty when it is as described. */
export function createResponseValidator(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...document });
  return (path: string, method: string, { status, headers, body }: LiveResponse): string[] => {
    const described = document.paths[path]?.[method];
    if (described === undefined) return [`the document has no ${method} ${path}`];
    const given = described.responses[String(status)] ?? described.responses['default'];
    if (given === undefined) return [`the document has no status ${status}`];
    const name = given.$ref && last(given.$ref);
    const shown = name === undefined ? given : document.components.responses[name];
    if (shown === undefined) return [`the document has no response ${name}`];
    const faults: string[] = [];

    const known = new Map(Object.entries(shown.headers).map(([each, value]) => [each.toLowerCase(), value]));
    for (const [each, described] of known) {
      const full = described.$ref === undefined ? described : document.components.headers[last(described.$ref)];
      const value = headers[each];
      if (value === undefined) {
        if (full?.required === true) faults.push(`the header ${each} is missing`);
        continue;
      }
      const validate = ajv.compile(z.looseObject({}).parse(full?.schema));
      const isNumber = z.looseObject({ type: z.literal('integer') }).safeParse(full?.schema).success;
      if (!validate(isNumber ? Number(value) : value))
        faults.push(`${each}: ${value}: ${ajv.errorsText(validate.errors)}`);
    }
    for (const each of Object.keys(headers)) {
      if (!known.has(each) && !undescribed.has(each)) faults.push(`the header ${each} is not described`);
    }

    const type = headers['content-type']?.split(';', 1)[0] ?? '';
    if (shown.content[type] === undefined) {
      if (type !== '' || Object.keys(shown.content).length > 0)
        faults.push(`the content type ${type} is not described`);
      return faults;
    }
    if (!type.endsWith('json')) return faults;
    const at =
      name === undefined ? ['paths', path, method, 'responses', String(status)] : ['components', 'responses', name];
    const pointer = ['', ...at, 'content', type, 'schema']
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.getSchema(`api#${pointer}`);
    if (validate === undefined) faults.push(`no schema at ${pointer}`);
    else if (!validate(JSON.parse(body))) faults.push(ajv.errorsText(validate.errors));
    return faults;
  };
}
