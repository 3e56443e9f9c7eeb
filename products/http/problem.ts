import { z } from 'zod';
import { writeProblem } from '#shared/domain/call-problem.ts';

/** One error in a request: where (body, path, query or header; a JSON pointer inside it) and what. */
export const fault = z.object({
  in: z.enum(['body', 'path', 'query', 'header']),
  pointer: z.string().describe('JSON pointer (RFC 6901) to the field, such as /items/0/hsn; empty for the whole part'),
  message: z.string(),
  portalCode: z
    .string()
    .optional()
    .describe('The error code with which a government portal would refuse it, such as 823'),
});

export type Fault = z.output<typeof fault>;

/** An error response: RFC 9457, plus `message` for callers that expect one. */
export const problem = z
  .looseObject({
    type: z.string().describe('Always about:blank: the status and the code say the kind'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What happened, and what to do'),
    message: z.string().describe('The same as detail, for programs that expect it'),
    code: z.string().describe('The kind of error, for programs, such as request-invalid or pdf-busy'),
    requestId: z.string().describe('Include it when you contact support'),
    portalCode: z
      .string()
      .optional()
      .describe('The error code of a government portal, such as 2172; only with the code portal-refused'),
    errors: z.array(fault).optional().describe('The errors in the request, at most 1,000'),
  })
  .meta({
    id: 'Problem',
    description: 'An error as RFC 9457 defines it, with a human-readable message.',
    examples: [
      {
        type: 'about:blank',
        title: 'Unprocessable Content',
        status: 422,
        detail: '/on: Enter a day as yyyy-mm-dd.',
        message: '/on: Enter a day as yyyy-mm-dd.',
        code: 'request-invalid',
        requestId: 'c0ffee00-1234-4321-8888-000000000001',
        errors: [{ in: 'query', pointer: '/on', message: 'Enter a day as yyyy-mm-dd.' }],
      },
    ],
  });

/** More would take longer to write than to check the request, and nobody mends them one by one. */
export const maxFaults = 1000;

export type Problem = z.output<typeof problem>;

export const problemType = 'application/problem+json';

/** Thrown by a route when a request is well-formed but semantically invalid; becomes a 422 with its errors, `maxFaults` of them. */
export class RequestFaults extends Error {
  override readonly name = 'RequestFaults';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super('The request is invalid.');
    this.faults = faults.slice(0, maxFaults);
  }
}

/** Thrown by a route that cannot return the requested resource. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly status: 400 | 404 | 409 | 422;
  /** The kind of error; that of the status by default. */
  readonly code: string | undefined;

  constructor(status: Refusal['status'], message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Thrown when a government portal refused the request, with the portal's own error code. */
export class PortalRefusal extends Refusal {
  override readonly name = 'PortalRefusal';
  readonly portalCode: string;

  constructor(status: Refusal['status'], message: string, portalCode: string) {
    super(status, message, 'portal-refused');
    this.portalCode = portalCode;
  }
}

const titles: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [409, 'Conflict'],
  [413, 'Content Too Large'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Content'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
]);

/** Builds an error response; its code is that of the status unless there is a more exact one. */
export function problemOf(status: number, detail: string, requestId: string, code?: string): Problem {
  const title = titles.get(status) ?? 'Error';
  const kind = code ?? title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return { type: 'about:blank', title, status, detail, message: detail, code: kind, requestId };
}

/** The error response for an invalid request. With several errors, the detail has the first and counts the rest. */
export function invalidRequest(
  faults: readonly Fault[],
  requestId: string,
  { status, code }: { status: 400 | 422; code: string } = { status: 422, code: 'request-invalid' },
): Problem {
  return { ...problemOf(status, summary(faults), requestId, code), errors: [...faults] };
}

/** Names of fields and positions in lists. Anything else in a pointer may be the caller's data. */
const plainPointer = /^(?:\/(?:[A-Za-z]{1,40}|\d{1,4}))+$/;

/** The header that states an error response to the gateway's request log: its code, and the first field with a fault. */
export function statementOf({ code, portalCode, errors }: Problem): string {
  const [first] = errors ?? [];
  if (first !== undefined) {
    const field = plainPointer.test(first.pointer) ? { field: first.pointer.slice(1).replaceAll('/', '.') } : {};
    return writeProblem(code, { in: first.in, ...field });
  }
  return writeProblem(code, portalCode === undefined ? {} : { portal: portalCode });
}

function summary(faults: readonly Fault[]): string {
  const [first] = faults;
  if (first === undefined) return 'The request is invalid.';
  const where = first.pointer === '' ? `the ${first.in}` : first.pointer;
  const others = faults.length < maxFaults ? `${faults.length - 1} more` : 'many more';
  const more = faults.length === 1 ? '' : ` (and ${others}, see errors)`;
  return `${where}: ${first.message}${more}`;
}

/** One segment of a JSON pointer, escaped as in RFC 6901. */
export function pointerStep(key: PropertyKey): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
