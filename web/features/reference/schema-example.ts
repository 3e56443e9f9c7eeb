import { sample } from 'openapi-sampler';
import { type ApiDescription, asMembers } from '#web/features/reference/api-description.ts';
import type { Direction } from '#web/features/reference/schema-fields.ts';

/** Deeper objects are left empty: in some documents each schema leads to hundreds of others. */
const depths = [5, 3, 1];
/** Larger examples tell a reader nothing, and take long to show. */
const maxLength = 50_000;

/** An example value for a schema, for documents without examples. Null when none can be generated. */
export function exampleOf(description: ApiDescription, schema: unknown, direction: Direction): unknown {
  for (const maxSampleDepth of depths) {
    const value = sampleOf(description, schema, direction, maxSampleDepth);
    if ((JSON.stringify(value) ?? '').length <= maxLength) return value;
  }
  return null;
}

function sampleOf(description: ApiDescription, schema: unknown, direction: Direction, maxSampleDepth: number): unknown {
  const hidden = direction === 'request' ? { skipReadOnly: true } : { skipWriteOnly: true };
  try {
    const value: unknown = sample(asMembers(schema) ?? {}, { quiet: true, maxSampleDepth, ...hidden }, description);
    return JSON.parse(JSON.stringify(value, bounded) ?? 'null');
  } catch {
    return null;
  }
}

/** Generators write the smallest and the largest exact number where there is no limit; they are not real limits. */
function bounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER ? 0 : value;
}
