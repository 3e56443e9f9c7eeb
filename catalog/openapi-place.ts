import { z } from 'zod';

/** A stored version has to hold its documents, and no path out of it is followed. */
const documentFile = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*\.json$/, 'must be a file beside this one, such as weather.openapi.json');

/** Where a product's OpenAPI document is: a path at the upstream, or a file beside the product's. */
export const openApiPlace = z
  .union(
    [z.strictObject({ path: z.string().regex(/^\/[\x21-\x7e]*$/) }), z.strictObject({ file: documentFile })],
    'must be { path: /openapi.json } of the API, or { file: weather.openapi.json } beside this file',
  )
  .default({ path: '/openapi.json' });
