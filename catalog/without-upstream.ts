import { isMembers, type Members } from '#shared/domain/members.ts';
import { methods } from './openapi-document.ts';

const methodNames: ReadonlySet<string> = new Set(methods);

/** In these, other gateways keep the address of the API behind them, and how they sign in there. */
const ofOtherGateways = /^x-(?:amazon-apigateway|apigee|azure|google|ibm-configuration|kong|tyk|wso2|zuplo)(?:-|$)/;

const mapValues = (members: unknown, change: (value: Members) => Members): unknown =>
  isMembers(members)
    ? Object.fromEntries(
        Object.entries(members).map(([name, value]) => [name, isMembers(value) ? change(value) : value]),
      )
    : members;

/** Changes the given members, where there are any, and drops the extensions of other gateways. */
function changed(node: Members, changes: Readonly<Record<string, (value: unknown) => unknown>>): Members {
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) => {
      if (ofOtherGateways.test(name)) return [];
      return [[name, Object.hasOwn(changes, name) ? changes[name]?.(value) : value]];
    }),
  );
}

const withoutServer = ({ server: _server, ...link }: Members): Members => link;
const cleanLinks = (links: unknown): unknown => mapValues(links, withoutServer);
const cleanResponses = (responses: unknown): unknown =>
  mapValues(responses, (response) => changed(response, { links: cleanLinks }));

function cleanOperation({ servers: _servers, security: _security, ...operation }: Members): Members {
  return changed(operation, { responses: cleanResponses, callbacks: cleanCallbacks });
}

function cleanPathItem({ servers: _servers, ...item }: Members): Members {
  return changed(
    Object.fromEntries(
      Object.entries(item).map(([member, value]) => [
        member,
        methodNames.has(member) && isMembers(value) ? cleanOperation(value) : value,
      ]),
    ),
    {},
  );
}

const cleanPathItems = (items: unknown): unknown => mapValues(items, cleanPathItem);
/** A callback has a path item for each of its addresses. */
function cleanCallbacks(callbacks: unknown): unknown {
  return mapValues(callbacks, (callback) =>
    changed(Object.fromEntries(Object.entries(callback).map(cleanAddress)), {}),
  );
}
const cleanAddress = ([address, item]: [string, unknown]): [string, unknown] => [
  address,
  isMembers(item) ? cleanPathItem(item) : item,
];

/**
 * An OpenAPI document without what it says of the API's own addresses and sign-in, wherever OpenAPI has a place for it:
 * in paths, callbacks, links and components. Those at its top are replaced elsewhere.
 */
export function withoutUpstream(document: unknown): unknown {
  if (!isMembers(document)) return document;
  return changed(document, {
    paths: cleanPathItems,
    webhooks: cleanPathItems,
    'x-webhooks': cleanPathItems,
    components: (components) =>
      isMembers(components)
        ? changed(components, {
            responses: cleanResponses,
            links: cleanLinks,
            callbacks: cleanCallbacks,
            pathItems: cleanPathItems,
          })
        : components,
  });
}
