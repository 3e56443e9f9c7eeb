import { sampleOfSchema, type SchemaSample } from '#shared/domain/schema-sample.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import type { Direction } from '#web/features/reference/schema-fields.ts';

/** Deeper objects are left empty: in some documents each schema leads to hundreds of others. */
const depths = [5, 3, 2, 1];

/** An example value for a schema, for documents without examples. Null when none can be generated. */
export function exampleOf(description: ApiDescription, schema: unknown, direction: Direction): SchemaSample {
  const { value = null, isShortened } = sampleOfSchema(description, schema, { depths, direction });
  return { value, isShortened };
}
