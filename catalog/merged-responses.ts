import { z } from 'zod';
import { gatewayStatuses } from '#shared/domain/metering.ts';
import { addedResponseHeaders, gatewayComponents, problemType, refusalHeaders } from './gateway-responses.ts';

/** Adds the gateway's refusals and headers to the responses of an API's OpenAPI document. */

const members = z.record(z.string(), z.unknown());
type Members = z.output<typeof members>;
const response = z.looseObject({
  $ref: z.string().optional(),
  description: z.string().optional(),
  headers: members.optional(),
  content: z.record(z.string(), z.looseObject({ schema: z.unknown().optional() })).optional(),
});
type Response = z.output<typeof response>;

const referenced = '#/components/responses/';

/** The parts of a document's components that the gateway adds to. */
const components = z.looseObject({
  schemas: members.optional(),
  headers: members.optional(),
  responses: members.optional(),
});

export interface MergedResponses {
  /** The document's components with those of the gateway. */
  components: Members;
  /** The responses of an operation with those of the gateway. */
  responsesOf: (responses: unknown) => Members;
}

/** @param given the components of the document */
export function mergeResponses(given: unknown): MergedResponses {
  const own = components.parse(given ?? {});
  const prefix = freePrefix([own.schemas, own.headers, own.responses]);
  const added = gatewayComponents(prefix);
  const headers = addedResponseHeaders(prefix);
  const problem = { $ref: `#/components/schemas/${prefix}Problem` };

  const withHeaders = (one: Response, more: Members = {}): Response => {
    const set = { ...headers, ...more };
    const names = new Set(Object.keys(set).map((name) => name.toLowerCase()));
    const kept = Object.entries(one.headers ?? {}).filter(([name]) => !names.has(name.toLowerCase()));
    return { ...one, headers: { ...Object.fromEntries(kept), ...set } };
  };
  const shared: Members = Object.fromEntries(
    Object.entries(own.responses ?? {}).map(([name, each]) => {
      const read = response.safeParse(each);
      return [name, read.success && read.data.$ref === undefined ? withHeaders(read.data) : each];
    }),
  );
  const resolved = (one: Response): Response => {
    const name = one.$ref?.startsWith(referenced) === true ? one.$ref.slice(referenced.length) : undefined;
    const target = name === undefined ? undefined : response.safeParse(own.responses?.[name]);
    return target?.success === true ? target.data : one;
  };

  /** The API's own response for a status, or the gateway's refusal with it. */
  const either = (one: Response): Response => {
    const { description = '', content = {}, ...rest } = resolved(one);
    const { [problemType]: told, ...others } = content;
    const schema = told?.schema === undefined ? problem : { anyOf: [told.schema, problem] };
    return withHeaders(
      {
        ...rest,
        description: `${description.trim().replace(/([^.!?])$/, '$1.')} Or a refusal of the gateway.`.trim(),
        content: { ...others, [problemType]: { ...told, schema } },
      },
      refusalHeaders,
    );
  };
  const eitherShared = new Map<string, string>();
  /** The same as a component where the API's own response is one, so that it is written once. */
  const eitherReferenced = (one: Response): Response => {
    const { $ref } = one;
    if ($ref === undefined || resolved(one) === one) return either(one);
    const known = eitherShared.get($ref) ?? `${prefix}Or${$ref.slice(referenced.length)}`;
    if (!eitherShared.has($ref)) {
      eitherShared.set($ref, known);
      shared[known] = either(one);
    }
    return { $ref: referenced + known };
  };

  const responsesOf = (responses: unknown): Members => {
    const given = members.safeParse(responses).data ?? {};
    const read = new Map(
      Object.entries(given).flatMap(([status, each]) => {
        const one = response.safeParse(each);
        return one.success ? [[status.toUpperCase() === 'DEFAULT' ? 'default' : status, one.data] as const] : [];
      }),
    );
    const coverOf = (status: number): string | undefined =>
      [String(status), `${String(status)[0]}XX`, 'default'].find((each) => read.has(each));
    const merged = new Set(gatewayStatuses.flatMap((status) => coverOf(status) ?? []));
    const theirs = [...read].map(([status, one]) => {
      if (merged.has(status)) return [status, eitherReferenced(one)];
      return [status, one.$ref === undefined ? withHeaders(one) : one];
    });
    const ours = gatewayStatuses
      .filter((status) => coverOf(status) === undefined)
      .map((status) => [status, { $ref: `${referenced}${prefix}${status}` }]);
    return { ...given, ...Object.fromEntries([...theirs, ...ours]) };
  };

  return {
    // Read after `responsesOf`, which adds to the shared ones.
    get components() {
      return {
        ...own,
        schemas: { ...own.schemas, ...added.schemas },
        headers: { ...own.headers, ...added.headers },
        responses: { ...shared, ...added.responses },
      };
    },
    responsesOf,
  };
}

/** A first part of names that no component of the document has. */
function freePrefix(sections: readonly (Members | undefined)[]): string {
  const names = sections.flatMap((section) => Object.keys(section ?? {}));
  let prefix = 'Gateway';
  while (names.some((name) => name.startsWith(prefix))) prefix = `Octroi${prefix}`;
  return prefix;
}
