import { z } from 'zod';

/** An OpenAPI 3.0 or 3.1 document, as far as this project looks into one. Everything else passes unchanged. */

const loose = z.record(z.string(), z.unknown());
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

const parameter = z.looseObject({
  name: z.string().optional(),
  in: z.string().optional(),
  $ref: z.string().optional(),
});
export const operation = z.looseObject({
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  parameters: z.array(parameter).optional(),
  responses: loose.optional(),
});
const pathItem = z.looseObject({
  parameters: z.array(parameter).optional(),
  ...Object.fromEntries(methods.map((method) => [method, operation.optional()])),
});

export const openApiDocument = z.looseObject({
  openapi: z.string().regex(/^3\.[01]\./, 'must be OpenAPI 3.0 or 3.1'),
  info: z.looseObject({
    title: z.string().min(1),
    version: z.string().optional(),
    summary: z.string().optional(),
    description: z.string().optional(),
  }),
  servers: z.array(z.looseObject({ url: z.string() })).optional(),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })).optional(),
  paths: z.record(z.string(), pathItem).default({}),
  /** Since OpenAPI 3.1; documents of 3.0 call them `x-webhooks`. */
  webhooks: z.record(z.string(), loose).optional(),
  'x-webhooks': z.record(z.string(), loose).optional(),
  components: z
    .looseObject({
      parameters: z.record(z.string(), parameter).optional(),
      responses: loose.optional(),
      securitySchemes: loose.optional(),
    })
    .optional(),
  security: z.array(loose).optional(),
});

export type OpenApiDocument = z.output<typeof openApiDocument>;
export type Operation = z.output<typeof operation>;

/** The operations of a path, with their methods in lower case. */
export function operationsOf(item: OpenApiDocument['paths'][string]): [method: string, operation: Operation][] {
  return methods.flatMap((method) => {
    const read = operation.safeParse(item[method]);
    return item[method] !== undefined && read.success ? [[method, read.data]] : [];
  });
}
