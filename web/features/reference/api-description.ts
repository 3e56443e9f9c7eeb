import { z } from 'zod';
import { decodedStep, partAt } from '#shared/domain/json-pointer.ts';
import { asMembers, isMembers, type Members } from '#shared/domain/members.ts';

/**
 * OpenAPI 3.0 and 3.1 documents, read part by part: a document may have megabytes, and a reader looks at one operation of it. Parts that
 * cannot be read are left out; nothing in a document makes a page fail.
 */

const members = z.custom<Members>(isMembers);

export const apiDescription = z.looseObject({
  openapi: z.string().regex(/^3\.[012]/),
  info: z.looseObject({
    title: z.string().catch(''),
    version: z.coerce.string().catch(''),
    description: z.string().optional().catch(undefined),
  }),
  tags: z
    .array(z.looseObject({ name: z.string() }))
    .optional()
    .catch(undefined),
  paths: members.default({}),
  webhooks: members.optional().catch(undefined),
  components: members.optional().catch(undefined),
});
export type ApiDescription = z.output<typeof apiDescription>;

/** The members of a value as a list; empty if it is no object. */
export function entriesOf(value: unknown): [name: string, value: unknown][] {
  return Object.entries(asMembers(value) ?? {});
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Longer chains of references lead in a circle. */
const maxReferences = 20;

/**
 * A part of the document with its reference followed; members beside the reference override. A reference that leads nowhere, or to another
 * document, is an empty object.
 */
export function resolved(description: ApiDescription, given: unknown): Members {
  let current = asMembers(given) ?? {};
  for (let steps = 0; steps < maxReferences; steps += 1) {
    const { $ref, ...beside } = current;
    if (typeof $ref !== 'string') return current;
    current = { ...asMembers(partAt(description, $ref)), ...beside };
  }
  return {};
}

/** The last part of a reference: `Parcel` of `#/components/schemas/Parcel`. */
export function nameOf(value: unknown): string | undefined {
  const reference = asText(asMembers(value)?.['$ref']);
  return reference === undefined ? undefined : decodedStep(reference.slice(reference.lastIndexOf('/') + 1));
}
