import { sample } from 'openapi-sampler';
import { SampleFault, sampleWithin } from '#shared/domain/sample-depth.ts';
import { type ApiDescription, asMembers } from '#web/features/reference/api-description.ts';
import type { Direction } from '#web/features/reference/schema-fields.ts';

/** Deeper objects are left empty: in some documents each schema leads to hundreds of others. */
const depths = [5, 3, 2, 1];
/** Larger examples tell a reader nothing, and take long to show. */
const maxLength = 50_000;

export interface SchemaExample {
  value: unknown;
  /** Was something left empty that the schema has? */
  isShortened?: () => boolean;
}

/** An example value for a schema, for documents without examples. Null when none can be generated. */
export function exampleOf(description: ApiDescription, schema: unknown, direction: Direction): SchemaExample {
  const hidden = direction === 'request' ? { skipReadOnly: true } : { skipWriteOnly: true };
  try {
    const make = (options: object): unknown =>
      asJson(sample(asMembers(schema) ?? {}, { ...options, ...hidden }, description));
    return sampleWithin(depths, make) ?? { value: null };
  } catch {
    return { value: null };
  }
}

function asJson(value: unknown): unknown {
  let length = 0;
  // Examples inside the document are parts of the value in every place that names them.
  const text = JSON.stringify(value, (_name, part: unknown) => {
    length += typeof part === 'string' ? part.length + 3 : 3;
    if (length > maxLength) throw new SampleFault('An example is too long');
    return bounded(part);
  });
  return JSON.parse(text ?? 'null');
}

/** Generators write the smallest and the largest exact number where there is no limit; they are not real limits. */
function bounded(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER ? 0 : value;
}
