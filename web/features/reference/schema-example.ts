import { sample } from 'openapi-sampler';
import type { ApiDescription, Schema } from '#web/features/reference/api-description.ts';

/** A value that fits a schema, for documents that give no example. Null when the schema allows none to be made. */
export function exampleOf(description: ApiDescription, schema: Schema): unknown {
  try {
    const copy: Parameters<typeof sample>[0] = JSON.parse(bounded(schema));
    return sample(copy, { quiet: true, skipReadOnly: true }, JSON.parse(bounded(description)));
  } catch {
    return null;
  }
}

/** Generators write the least and the largest exact number where there is no limit; nobody means such a number. */
function bounded(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'number' && Math.abs(each) === Number.MAX_SAFE_INTEGER ? undefined : each,
  );
}
