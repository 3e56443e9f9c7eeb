import { sample } from 'openapi-sampler';
import { boundedSchema, SampleFault } from './bounded-schema.ts';

/** Larger examples tell a reader nothing, and take long to show. */
const maxLength = 50_000;

export interface SchemaSample {
  value: unknown;
  /** Was something left empty that the schema has? */
  isShortened: boolean;
}

/**
 * An example of a schema of a document, to the first of these depths at which it is small enough; its value is undefined when there is none. What is
 * never in this direction is left out.
 */
export function sampleOfSchema(
  document: object,
  schema: unknown,
  { depths, direction }: { depths: readonly number[]; direction: 'request' | 'response' },
): SchemaSample {
  const hidden = direction === 'request' ? { skipReadOnly: true } : { skipWriteOnly: true };
  for (const depth of depths) {
    try {
      const { bounded, isShortened } = boundedSchema(document, schema, depth);
      return { value: asJson(sample(bounded, { ...hidden, quiet: true, maxSampleDepth: Infinity }, {})), isShortened };
    } catch (error) {
      // The generator has faults of its own.
      if (!(error instanceof SampleFault)) return { value: undefined, isShortened: false };
    }
  }
  return { value: undefined, isShortened: true };
}

function asJson(value: unknown): unknown {
  let length = 0;
  const text = JSON.stringify(value, (_name, part: unknown) => {
    length += typeof part === 'string' ? part.length + 3 : 3;
    if (length > maxLength) throw new SampleFault('An example is too long');
    return withoutMark(part);
  });
  return JSON.parse(text ?? 'null');
}

/** Generators write the smallest and the largest exact number where there is no limit; they are not real limits. */
function withoutMark(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER ? 0 : value;
}
