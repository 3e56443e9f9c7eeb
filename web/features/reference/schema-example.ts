import { sample } from 'openapi-sampler';
import type { ApiDescription, Schema } from '#web/features/reference/api-description.ts';

/** An example value for a schema, for documents without examples. Null when none can be generated. */
export function exampleOf(description: ApiDescription, schema: Schema): unknown {
  try {
    const copy: Parameters<typeof sample>[0] = JSON.parse(bounded(schema));
    return sample(copy, { quiet: true, skipReadOnly: true }, JSON.parse(bounded(description)));
  } catch {
    return null;
  }
}

/** Generators write the smallest and the largest exact number where there is no limit; they are not real limits. */
function bounded(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'number' && Math.abs(each) === Number.MAX_SAFE_INTEGER ? undefined : each,
  );
}
