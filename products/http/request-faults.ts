import type { FastifySchemaValidationError } from 'fastify';
import { type Fault, pointerStep } from '#products/http/problem.ts';

const parts: ReadonlyMap<string, Fault['in']> = new Map([
  ['params', 'path'],
  ['querystring', 'query'],
]);

/** Turns what the schema found wrong with one part of a request into faults that point at the fields. */
export function faultsOfValidation(
  issues: readonly FastifySchemaValidationError[],
  context: string | undefined,
): Fault[] {
  const part = parts.get(context ?? '') ?? 'body';
  return issues.flatMap((issue) => {
    const pointer = issue.instancePath === '/' ? '' : issue.instancePath;
    if (issue.keyword === 'unrecognized_keys') return unknownFields(part, pointer, issue.params['keys']);
    const missing = issue.keyword === 'invalid_type' && (issue.message ?? '').endsWith('received undefined');
    return { in: part, pointer, message: missing ? 'This field is required.' : (issue.message ?? 'is not valid') };
  });
}

function unknownFields(part: Fault['in'], pointer: string, keys: unknown): Fault[] {
  return Array.isArray(keys)
    ? keys.map((key) => ({
        in: part,
        pointer: pointer + pointerStep(String(key)),
        message: 'There is no such field; check its spelling.',
      }))
    : [];
}
