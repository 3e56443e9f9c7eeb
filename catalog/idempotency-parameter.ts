import type { OpenApiDocument } from './openapi-document.ts';

const name = 'Idempotency-Key';

/** What the gateway does with the header; what an API makes of it, the API decides. */
const declared = {
  name,
  in: 'header',
  required: false,
  description:
    'A text of your choice for this piece of work, such as a UUID. It reaches the API as you send it. If the API keeps responses by it, a retry with the same key gets the first response again, with `Octroi-Replayed: true`, and is not counted again.',
  schema: { type: 'string' },
  example: '7c1f4b8e-6f0d-4c8b-9d53-0e9d4b7f6a21',
};

type Parameters = readonly Readonly<Record<string, unknown>>[];
const listOf = (given: unknown): Parameters => (Array.isArray(given) ? given : []);

/** Declares `Idempotency-Key` where neither an operation nor its path does, by itself or by a reference. */
export function idempotencyDeclarer(
  shared: NonNullable<OpenApiDocument['components']>['parameters'] = {},
): (operation: Readonly<Record<string, unknown>>, ofPath: unknown) => Record<string, unknown> {
  const isDeclared = (parameter: Readonly<Record<string, unknown>>): boolean => {
    const referred = /^#\/components\/parameters\/(.+)$/.exec(String(parameter['$ref']))?.[1];
    const one: Readonly<Record<string, unknown>> = (referred === undefined ? undefined : shared[referred]) ?? parameter;
    return one['in'] === 'header' && String(one['name']).toLowerCase() === name.toLowerCase();
  };
  return (operation, ofPath) => {
    const own = listOf(operation['parameters']);
    if ([...own, ...listOf(ofPath)].some(isDeclared)) return { ...operation };
    return { ...operation, parameters: [...own, declared] };
  };
}
