import { gatewayAnswers, gatewayStatuses } from '#shared/domain/metering.ts';

/** What the gateway adds to every response of an API and its own refusals, as components of an OpenAPI 3 document. */

const meanings: ReadonlyMap<number, string> = new Map([
  [400, 'The gateway cannot read the request: its path, a missing, wrong or repeated header, or its framing.'],
  [401, 'The API key is missing, unknown, revoked or expired.'],
  [402, 'No plan is running: it is unpaid or has ended.'],
  [
    403,
    'The key does not allow this call: it belongs to another API, is limited to other addresses, or its account is blocked.',
  ],
  [404, 'The gateway has no API at this path.'],
  [405, 'The path does not support this method.'],
  [408, 'The request did not arrive in time.'],
  [413, 'The request body is too large.'],
  [414, 'The path and query are too long.'],
  [417, 'The gateway does not support the expectation of the Expect header.'],
  [429, 'The plan’s rate limit or quota is used up.'],
  [431, 'The request line and headers are too large.'],
  [501, 'The gateway does not support the method, or WebSocket.'],
  [502, 'The API sent no valid response.'],
  [503, 'The gateway is overloaded, or cannot check or count the call.'],
  [504, 'The API did not respond in time.'],
  [505, 'The gateway does not support this version of HTTP on its connection.'],
]);

/** Marks the gateway's own responses, so that a reader can tell them from the API's. */
const gatewayMark = 'x-gateway-refusal';
export const problemType = 'application/problem+json';

const text = (description: string) => ({ type: 'string', description });
const count = (description: string) => ({ type: 'integer', minimum: 0, description });

const problem = {
  type: 'object',
  description: 'A refusal of the gateway (RFC 9457). It is never counted.',
  required: ['type', 'title', 'status', 'detail', 'message', 'code', 'requestId'],
  properties: {
    type: text('The problem type; about:blank where the code says everything'),
    title: text('The status in words'),
    status: { type: 'integer', description: 'The HTTP status' },
    detail: text('What happened, and what to do'),
    message: text('The same as detail, for programs that expect it'),
    code: { type: 'string', enum: Object.keys(gatewayAnswers), description: 'The kind of error, for programs' },
    requestId: text('The X-Request-Id of the response'),
    'violated-policies': {
      type: 'array',
      items: { type: 'string' },
      description: 'The limits that are used up, by their names in RateLimit-Policy',
    },
  },
};

/** By name, with what each holds: headers of every response first, then those of some refusals. */
const always = { 'X-Request-Id': text('Identifies the call in the request log and for support') };
const limits = {
  RateLimit: text('What is left for the second, the day, the billing cycle and the key, and seconds until each resets'),
  'RateLimit-Policy': text('The limits of the plan and of the key'),
  'X-RateLimit-Limit': count('The daily quota, or the quota of the cycle when less of it is left'),
  'X-RateLimit-Remaining': count('Calls left of that quota'),
  'X-RateLimit-Reset': count('When that quota resets, in seconds since 1970-01-01 UTC'),
  'Octroi-Units': count('Units of the quota that the call took, where operations differ'),
  'Octroi-Mode': text('"test" for calls with a test key'),
};
const ofRefusals = {
  'Retry-After': count('Seconds to wait before the next attempt'),
  'WWW-Authenticate': text('How to send the key (RFC 6750)'),
  Allow: text('The methods that the path supports'),
};
const required: ReadonlyMap<number, keyof typeof ofRefusals> = new Map([
  [401, 'WWW-Authenticate'],
  [405, 'Allow'],
  [429, 'Retry-After'],
  [502, 'Retry-After'],
  [503, 'Retry-After'],
  [504, 'Retry-After'],
]);

const headerOf = ({ description, ...schema }: { type: string; description: string }, isRequired: boolean) => ({
  description,
  schema,
  ...(isRequired ? { required: true } : {}),
});
const componentOf = (prefix: string, header: string): string => `${prefix}${header.replaceAll('-', '')}`;

/** The components of the gateway. `prefix`: the first part of their names. */
export function gatewayComponents(prefix: string) {
  const headers = Object.entries({ ...always, ...limits }).map(([name, schema]) => [
    componentOf(prefix, name),
    headerOf(schema, name in always),
  ]);
  const responses = gatewayStatuses.map((status) => {
    const header = required.get(status);
    const codes = Object.entries(gatewayAnswers).flatMap(([code, own]) => (own === status ? [code] : []));
    return [
      `${prefix}${status}`,
      {
        description: meanings.get(status) ?? '',
        [gatewayMark]: true,
        headers: {
          ...headersIn(prefix, status >= 402 ? [...Object.keys(always), ...Object.keys(limits)] : Object.keys(always)),
          ...(header && { [header]: headerOf(ofRefusals[header], true) }),
        },
        content: {
          [problemType]: {
            schema: {
              allOf: [
                { $ref: `#/components/schemas/${prefix}Problem` },
                { type: 'object', properties: { status: { enum: [status] }, code: { enum: codes } } },
              ],
            },
          },
        },
      },
    ];
  });
  return {
    schemas: { [`${prefix}Problem`]: problem },
    headers: Object.fromEntries(headers),
    responses: Object.fromEntries(responses),
  };
}

function headersIn(prefix: string, names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentOf(prefix, name)}` }]));
}

/** The headers that the gateway adds to a response of the API. */
export function addedResponseHeaders(prefix: string): Record<string, object> {
  return headersIn(prefix, [...Object.keys(always), ...Object.keys(limits)]);
}

/** Headers of the gateway's refusals with any status, for responses that describe several. */
export const refusalHeaders: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(ofRefusals).map(([name, schema]) => [name, headerOf(schema, false)]),
);
