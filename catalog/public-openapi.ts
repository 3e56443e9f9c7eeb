import { type Deprecation, deprecationMatcher } from '#shared/domain/deprecation.ts';
import { isMembers } from '#shared/domain/members.ts';
import { operationFinder } from '#shared/domain/operation.ts';
import { idempotencyDeclarer } from './idempotency-parameter.ts';
import { mergeResponses } from './merged-responses.ts';
import type { CatalogOperation } from './operations.ts';
import type { IsRefused } from './refused-calls.ts';
import {
  type ForwardedPaths,
  isForwarded,
  isPublic,
  methods,
  type OpenApiDocument,
  openApiDocument,
} from './openapi-document.ts';
import { usedComponents } from './used-components.ts';
import { withoutUpstream } from './without-upstream.ts';

/** OpenAPI 3.0 has schemas of its own. */
type WebhookDialect = 'openapi-3.0' | 'draft-2020-12';

/** Where customers call a product, and what they must not see of its document. */
export interface PublicSide {
  /** The product's address on the gateway. */
  url: string;
  /** Others are not shown. */
  paths: ForwardedPaths;
  /** Readers of a document without a contact are led there. */
  portalUrl: string;
  /** Names of headers that a caller can't send to the API: those that the gateway adds, credentials among them, or drops. */
  hiddenHeaders: readonly string[];
  /** What the portal sends to customers' webhooks, as path items; the API's own of the same name come before them. */
  webhooks?: (dialect: WebhookDialect) => Readonly<Record<string, object>>;
  /** What operations cost; it stands in the document as `x-quota-units`. */
  operations?: readonly CatalogOperation[];
  /** Calls that the gateway refuses, whatever the document says of them. */
  isRefused?: IsRefused | undefined;
  /** Operations of these are marked as deprecated. */
  deprecations?: readonly Pick<Deprecation, 'of'>[];
}

/** How callers send the gateway's API key. */
export const gatewaySecurity = {
  securitySchemes: {
    apiKey: {
      type: 'apiKey',
      name: 'X-API-Key',
      in: 'header',
      description: 'A key of your activation, from the portal.',
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
  },
  security: [{ apiKey: [] }, { bearer: [] }],
};

/** Where customers ask: the portal, which has a page for support. */
export const contactAt = (portalUrl: string) => ({ name: 'Support', url: portalUrl });

/**
 * The document that customers see: the gateway's address instead of the upstream's, its API keys instead of the upstream's credentials, and
 * without operations marked `x-internal`, refused or not forwarded, nor components that only they use; with the gateway's refusals and headers. Throws if `document` is not an OpenAPI 3 document.
 */
export function publicOpenApi(document: unknown, side: PublicSide): object {
  const read = openApiDocument.parse(withoutUpstream(document));
  const hidden = new Set(side.hiddenHeaders.map((name) => name.toLowerCase()));
  const isHidden = (parameter: { name?: string | undefined; in?: string | undefined }): boolean =>
    parameter.in === 'header' && hidden.has(parameter.name?.toLowerCase() ?? '');
  const hiddenReferences = new Set(
    Object.entries(read.components?.parameters ?? {}).flatMap(([name, parameter]) =>
      isHidden(parameter) ? [`#/components/parameters/${name}`] : [],
    ),
  );
  const withoutHidden = (item: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const { parameters } = item;
    if (!Array.isArray(parameters)) return { ...item };
    return {
      ...item,
      parameters: parameters.filter((each) => !isHidden(each) && !hiddenReferences.has(String(each.$ref))),
    };
  };
  const parameters = Object.entries(read.components?.parameters ?? {}).filter(([, each]) => !isHidden(each));
  const gateway = mergeResponses(read.components);
  const declareKey = hidden.has('idempotency-key') ? undefined : idempotencyDeclarer(read.components?.parameters);
  const cleanOperation: CleanOperation = (operation, method, ofPath) => {
    const shown = withoutHidden(operation);
    const declared = method === 'post' && declareKey !== undefined ? declareKey(shown, ofPath) : shown;
    return { ...declared, responses: gateway.responsesOf(shown['responses']) };
  };
  const paths = Object.fromEntries(publicPaths(read.paths, side, withoutHidden, cleanOperation));
  const { components: _components, webhooks, 'x-webhooks': olderWebhooks, ...rest } = read;
  const isOlder = read.openapi.startsWith('3.0');
  const added = side.webhooks?.(isOlder ? 'openapi-3.0' : 'draft-2020-12') ?? {};
  // Those of an API that are all in the older place stay together with the portal's.
  const addToOlder = webhooks === undefined && (isOlder || olderWebhooks !== undefined);
  const info = { contact: contactAt(side.portalUrl), ...read.info };
  const shown = {
    ...rest,
    ...shownWebhooks('webhooks', webhooks, addToOlder ? {} : added),
    ...shownWebhooks('x-webhooks', olderWebhooks, addToOlder ? added : {}),
    info,
    servers: [{ url: side.url, description: 'The gateway' }],
    paths,
  };
  const components = usedComponents(shown, {
    ...gateway.components,
    ...(read.components?.parameters === undefined ? {} : { parameters: Object.fromEntries(parameters) }),
  });
  return {
    ...shown,
    components: { ...components, securitySchemes: gatewaySecurity.securitySchemes },
    security: gatewaySecurity.security,
  };
}

type Webhooks = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type CleanOperation = (
  operation: Readonly<Record<string, unknown>>,
  method: string,
  ofPath: unknown,
) => Record<string, unknown>;

function shownWebhooks(member: string, own: Webhooks | undefined, added: Readonly<Record<string, object>>): object {
  if (own === undefined && Object.keys(added).length === 0) return {};
  return { [member]: { ...added, ...publicWebhooks(own ?? {}) } };
}

/** Webhooks without those that are marked `x-internal`. */
function publicWebhooks(webhooks: Webhooks): object {
  return Object.fromEntries(
    Object.entries(webhooks).flatMap(([event, item]) => {
      if (!isPublic(item)) return [];
      const shown = Object.entries(item).flatMap(([member, value]) => {
        if (!isMembers(value) || !methodNames.has(member)) return [[member, value]];
        return isPublic(value) ? [[member, value]] : [];
      });
      const isReference = typeof item['$ref'] === 'string';
      return isReference || shown.some(([member]) => methodNames.has(String(member)))
        ? [[event, Object.fromEntries(shown)]]
        : [];
    }),
  );
}

const methodNames: ReadonlySet<string> = new Set(methods);

function publicPaths(
  paths: OpenApiDocument['paths'],
  { paths: forwarded, operations: listed = [], deprecations = [], isRefused = () => false }: PublicSide,
  clean: (item: Readonly<Record<string, unknown>>) => Record<string, unknown>,
  cleanOperation: CleanOperation,
): [string, Record<string, unknown>][] {
  const operationsOf = operationFinder(listed);
  const deprecated = deprecations.map(deprecationMatcher);
  const isDeprecated = (method: string, path: string): boolean =>
    deprecated.some((matches) => matches(method.toUpperCase(), path));
  const costOf = (method: string, path: string): Record<string, unknown> => {
    const [id] = operationsOf(method.toUpperCase(), path) ?? [];
    const found = listed.find((each) => each.id === id);
    if (found === undefined) return {};
    const statuses = found.counts === undefined ? {} : { 'x-quota-statuses': found.counts.map(String) };
    return { 'x-quota-units': found.units, ...statuses };
  };
  return Object.entries(paths).flatMap(([path, item]) => {
    if (!isPublic(item) || !isForwarded(forwarded, path)) return [];
    // OpenAPI 3.2: methods that the gateway does not forward.
    const { additionalOperations: _others, ...shown } = clean(item);
    let operations = 0;
    for (const method of methods) {
      const one = item[method];
      if (one === undefined) continue;
      if (typeof one === 'object' && one !== null && isPublic(one) && isRefused(method.toUpperCase(), path) !== true) {
        operations += 1;
        const mark = isDeprecated(method, path) ? { deprecated: true } : {};
        shown[method] = { ...cleanOperation({ ...one }, method, item['parameters']), ...costOf(method, path), ...mark };
      } else delete shown[method];
    }
    return operations === 0 ? [] : [[path, shown]];
  });
}
