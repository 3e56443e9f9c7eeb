import type { FastifySchemaValidationError } from 'fastify';
import { type Fault, maxFaults, pointerStep } from '#products/http/problem.ts';

const parts: ReadonlyMap<string, Fault['in']> = new Map([
  ['params', 'path'],
  ['querystring', 'query'],
  ['headers', 'header'],
]);

/** Converts the schema's errors in one part of a request into errors with the caller's field names, at most `maxFaults` of them. */
export function faultsOfValidation(
  issues: readonly FastifySchemaValidationError[],
  context: string | undefined,
): Fault[] {
  const part = parts.get(context ?? '') ?? 'body';
  const faults: Fault[] = [];
  for (const issue of issues) {
    if (faults.length >= maxFaults) break;
    faults.push(...faultsOfIssue(issue, part));
  }
  return faults.slice(0, maxFaults);
}

function faultsOfIssue(issue: FastifySchemaValidationError, part: Fault['in']): Fault[] {
  const pointer = issue.instancePath === '/' ? '' : issue.instancePath;
  if (issue.keyword === 'unrecognized_keys') return unknownFields(part, pointer, issue.params['keys']);
  return [{ in: part, pointer, message: plainMessage(issue.keyword, issue.message ?? 'This is not valid.', pointer) }];
}

function unknownFields(part: Fault['in'], pointer: string, keys: unknown): Fault[] {
  return Array.isArray(keys)
    ? keys.map((key) => ({
        in: part,
        pointer: pointer + pointerStep(String(key)),
        message: 'This field does not exist; check its spelling.',
      }))
    : [];
}

const wrongKind = /expected (\w+), received (\w+)$/;

/** Describes a wrong type in terms of JSON; all other messages are already suitable. */
function plainMessage(keyword: string, message: string, pointer: string): string {
  const [, expected, received] = keyword === 'invalid_type' ? (wrongKind.exec(message) ?? []) : [];
  if (expected === undefined || received === undefined) return message;
  if (pointer === '') return `Send a JSON ${expected}.`;
  return received === 'undefined' ? 'This field is required.' : `This must be of type ${expected}, not ${received}.`;
}
