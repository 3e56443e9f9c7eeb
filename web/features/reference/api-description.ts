import { z } from 'zod';

/**
 * The parts of an OpenAPI 3.1 document that the reference shows. Everything else is ignored, so a product may document
 * more than we show; the parts in use are validated, so that any other document is reported as unreadable.
 */

interface SchemaShape {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  description?: string | undefined;
  format?: string | undefined;
  pattern?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[] | undefined;
  deprecated?: boolean | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  required?: string[] | undefined;
  properties?: Record<string, SchemaShape> | undefined;
  items?: SchemaShape | undefined;
  anyOf?: SchemaShape[] | undefined;
  oneOf?: SchemaShape[] | undefined;
  allOf?: SchemaShape[] | undefined;
}

const schema: z.ZodType<SchemaShape> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    example: z.unknown().optional(),
    examples: z.array(z.unknown()).optional(),
    deprecated: z.boolean().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), schema).optional(),
    items: schema.optional(),
    anyOf: z.array(schema).optional(),
    oneOf: z.array(schema).optional(),
    allOf: z.array(schema).optional(),
  }),
);
export type Schema = SchemaShape;

const media = z.looseObject({
  schema: schema.optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.looseObject({ summary: z.string().optional(), value: z.unknown() })).optional(),
});
export type Media = z.output<typeof media>;

const parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: schema.optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.looseObject({ value: z.unknown() })).optional(),
});
export type Parameter = z.output<typeof parameter>;

const operation = z.looseObject({
  /** What a call costs, where the provider says so. */
  'x-quota-units': z.int().optional(),
  'x-quota-statuses': z.array(z.string()).optional(),
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  parameters: z.array(parameter).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), media) }).optional(),
  responses: z
    .record(
      z.string(),
      z.looseObject({ description: z.string().optional(), content: z.record(z.string(), media).optional() }),
    )
    .optional(),
});

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export const apiDescription = z.looseObject({
  openapi: z.string().regex(/^3\.[12]\./),
  info: z.looseObject({ title: z.string(), version: z.string(), description: z.string().optional() }),
  servers: z.array(z.looseObject({ url: z.string() })).optional(),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })).optional(),
  paths: z.record(z.string(), z.looseObject(Object.fromEntries(methods.map((name) => [name, operation.optional()])))),
  components: z.looseObject({ schemas: z.record(z.string(), schema).optional() }).optional(),
});
export type ApiDescription = z.output<typeof apiDescription>;

const localReference = '#/components/schemas/';

/** Resolves a reference to its schema. A broken reference becomes a schema that accepts anything. */
export function resolved(description: ApiDescription, given: Schema): Schema {
  let current = given;
  // A chain longer than this leads in a circle.
  for (let steps = 0; steps < 20 && current.$ref !== undefined; steps += 1) {
    const name = current.$ref.startsWith(localReference) ? current.$ref.slice(localReference.length) : '';
    const { $ref: _, ...beside } = current;
    current = { ...description.components?.schemas?.[name], ...beside };
  }
  return current;
}
