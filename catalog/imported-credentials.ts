import { z } from 'zod';
import { decodedStep } from '#shared/domain/json-pointer.ts';
import { addedHeaderNames, type GatewayOptions, gatewayOptions, secretPrefix } from './gateway-options.ts';
import { callsText, sayKeysAmongParameters } from './keys-among-parameters.ts';
import type { Listed, OpenApiDocument } from './openapi-document.ts';

/** The name of a variable with a secret; `what` is its last word. */
type Variable = (what: string) => { env: string };

/** An entry of gateway.credentials. */
type Taken = { type: string } & Record<string, unknown>;

/** How the gateway signs in as a scheme asks, or why it can't. */
type Takeover =
  | { obstacle: string }
  | { header?: string; take: (variable: Variable, todo: (line: string) => void) => Taken[] };

/** Everything that one alternative of a requirement asks for together, by the names of its schemes. */
type Alternative = readonly string[];

/** Calls that ask for the same sign-in. */
interface Requirement {
  alternatives: readonly Alternative[];
  /** Calls without sign-in are accepted, too. */
  isOptional: boolean;
  calls: Listed[];
}

/**
 * How the API identifies its callers becomes how the gateway identifies itself. The gateway sends the same credentials with every call, so it
 * takes the alternative that most calls accept. Whatever it can't take over exactly is in `remaining`, with a way out.
 */
export function credentialsOf(
  document: OpenApiDocument,
  operations: readonly Listed[],
  id: string,
  remaining: string[],
): object[] {
  const todo = (line: string): void => void remaining.push(line);
  const takeovers = (name: string): Takeover => takeoverOf(schemeOf(document, name));
  const requirements = requirementsOf(document, operations);
  const chosen = choose(requirements, takeovers) ?? unasked(document, requirements, takeovers, todo);
  sayWhatDiffers(requirements, chosen, takeovers, todo);
  const used = new Set<string>();
  const variable: Variable = (what) => {
    const name = `${secretPrefix}${id.replaceAll('-', '_').toUpperCase()}_${what}`;
    const env = used.has(name) ? `${name}_${used.size + 1}` : name;
    used.add(env);
    return { env };
  };
  const credentials = chosen.flatMap((name) => {
    const takeover = takeovers(name);
    return 'take' in takeover ? takeover.take(variable, todo) : [];
  });
  const sent = headersOf(chosen, takeovers);
  sayKeysAmongParameters(document, operations, new Set(sent), todo);
  return credentials;
}

/** Where the sign-in that a document asks for is not what the gateway sends for the product on sale, which keeps its credentials. */
export function saySoldSignIn(
  document: OpenApiDocument,
  operations: readonly Listed[],
  sold: GatewayOptions,
  notes: string[],
): void {
  const todo = (line: string): void => void notes.push(line);
  const takeovers = (name: string): Takeover => takeoverOf(schemeOf(document, name));
  const headers = addedHeaderNames(sold).map((name) => name.toLowerCase());
  const isSent = (name: string): boolean => {
    const takeover = takeovers(name);
    if ('obstacle' in takeover) return false;
    if (takeover.header === undefined) return sold.tls?.certificate !== undefined;
    const needed = takeover.take(
      () => ({ env: secretPrefix }),
      () => undefined,
    );
    const isOther = needed.some(
      ({ type }) => type !== 'header' && !sold.credentials.some((each) => each.type === type),
    );
    const isWhole = sold.credentials.some(
      (each) => each.type === 'header' && each.name.toLowerCase() === takeover.header,
    );
    return headers.includes(takeover.header) && (!isOther || isWhole);
  };
  const sent = Object.keys(document.components?.securitySchemes ?? {}).filter(isSent);
  const sends = sent.length > 0 ? quoted(sent) : headers.length > 0 ? `the header ${headers.join(' and ')}` : 'nothing';
  sayWhatDiffers(requirementsOf(document, operations), sent, takeovers, todo, sends);
  sayKeysAmongParameters(document, operations, new Set(headers), todo);
}

const requirementList = z.array(z.record(z.string(), z.unknown()));

/** The sign-in of every call: its own, or that of the document. */
function requirementsOf(document: OpenApiDocument, operations: readonly Listed[]): Requirement[] {
  const found = new Map<string, Requirement>();
  for (const listed of operations) {
    const own = requirementList.safeParse(listed.operation['security']);
    const names = (own.success ? own.data : (document.security ?? [])).map((each) => Object.keys(each));
    const key = JSON.stringify(names.map((each) => each.toSorted()));
    const requirement = found.get(key) ?? {
      alternatives: names.filter(({ length }) => length > 0),
      isOptional: names.length === 0 || names.some(({ length }) => length === 0),
      calls: [],
    };
    requirement.calls.push(listed);
    found.set(key, requirement);
  }
  return [...found.values()];
}

const accepts = ({ alternatives }: Requirement, sent: Alternative): boolean =>
  alternatives.some((names) => names.every((name) => sent.includes(name)));

/** The alternative that most calls accept, of those that can be taken over whole. */
function choose(requirements: readonly Requirement[], takeovers: (name: string) => Takeover): Alternative | undefined {
  const callsOf = (sent: Alternative): number =>
    requirements.reduce((sum, each) => sum + (accepts(each, sent) ? each.calls.length : 0), 0);
  const possible = requirements.flatMap(({ alternatives }) =>
    alternatives.filter((names) => obstaclesOf(names, takeovers).length === 0),
  );
  return possible.reduce<Alternative | undefined>(
    (best, names) => (best === undefined || callsOf(names) > callsOf(best) ? names : best),
    undefined,
  );
}

/** Where no call asks for a sign-in although the document describes some: the first that can be taken over, for the provider to confirm. */
function unasked(
  { components }: OpenApiDocument,
  requirements: readonly Requirement[],
  takeovers: (name: string) => Takeover,
  todo: (line: string) => void,
): Alternative {
  const names = Object.keys(components?.securitySchemes ?? {});
  if (names.length === 0 || requirements.some(({ alternatives }) => alternatives.length > 0)) return [];
  const first = names.find((name) => obstaclesOf([name], takeovers).length === 0);
  const others = names.filter((name) => name !== first).map((name) => nameWithObstacle(name, takeovers));
  const asks = 'The document describes how to sign in, and no call asks for it';
  if (first === undefined) todo(`${asks}: ${others.join(', ')}. Set gateway.credentials if the API needs them.`);
  else
    todo(
      `${asks}. The gateway signs in with "${first}"${others.length === 0 ? '' : `, not with ${others.join(', ')}`}: correct gateway.credentials if that is wrong.`,
    );
  return first === undefined ? [] : [first];
}

/** What the chosen alternative is not: the sign-in of other calls, an earlier alternative, or none. */
function sayWhatDiffers(
  requirements: readonly Requirement[],
  chosen: Alternative,
  takeovers: (name: string) => Takeover,
  todo: (line: string) => void,
  sends = chosen.length === 0 ? 'nothing' : quoted(chosen),
): void {
  const asked = requirements.filter(({ alternatives }) => alternatives.length > 0);
  const instead =
    'Customers can make these calls all the same. Set gateway.credentials to what the API accepts instead, or mark these calls x-internal: true in the document, so that the gateway refuses them.';
  for (const requirement of asked) {
    const { alternatives, calls } = requirement;
    const listed = alternatives.map((names) => namesWithObstacles(names, takeovers));
    if (!accepts(requirement, chosen)) {
      todo(`${callsText(calls)}: the API asks for ${listed.join(', or ')}, and the gateway sends ${sends}. ${instead}`);
      continue;
    }
    const [first = []] = alternatives;
    if (!first.every((name) => chosen.includes(name)))
      todo(
        `${callsText(calls)}: the gateway signs in with ${quoted(chosen)}; the document names ${listed[0]} first. Check that it is enough.`,
      );
  }
  const open = requirements.filter(({ isOptional }) => isOptional).flatMap(({ calls }) => calls);
  if (sends !== 'nothing' && asked.length > 0 && open.length > 0)
    todo(`${callsText(open)}: no sign-in is needed, and the gateway sends ${sends} with every call.`);
}

const quoted = (names: Alternative): string => names.map((name) => `"${name}"`).join(' and ');

const nameWithObstacle = (name: string, takeovers: (name: string) => Takeover): string => {
  const takeover = takeovers(name);
  return 'obstacle' in takeover ? `"${name}" (${takeover.obstacle})` : `"${name}"`;
};

function namesWithObstacles(names: Alternative, takeovers: (name: string) => Takeover): string {
  const listed = names.map((name) => nameWithObstacle(name, takeovers)).join(' and ');
  return hasTwice(headersOf(names, takeovers)) ? `${listed} in one header` : listed;
}

const headersOf = (names: Alternative, takeovers: (name: string) => Takeover): string[] =>
  names.flatMap((name) => {
    const takeover = takeovers(name);
    return 'header' in takeover && takeover.header !== undefined ? [takeover.header] : [];
  });
const hasTwice = (headers: readonly string[]): boolean => new Set(headers).size < headers.length;

/** Why an alternative can't be taken over whole. */
function obstaclesOf(names: Alternative, takeovers: (name: string) => Takeover): string[] {
  const single = names.flatMap((name) => {
    const takeover = takeovers(name);
    return 'obstacle' in takeover ? [takeover.obstacle] : [];
  });
  return hasTwice(headersOf(names, takeovers)) ? [...single, 'two in one header'] : single;
}

/** A scheme of the document, which may refer to another one. */
function schemeOf(document: OpenApiDocument, name: string, steps = 10): Readonly<Record<string, unknown>> | undefined {
  const found: unknown = document.components?.securitySchemes?.[name];
  if (typeof found !== 'object' || found === null || steps === 0) return undefined;
  const scheme: Record<string, unknown> = { ...found };
  const { $ref: reference } = scheme;
  if (typeof reference !== 'string') return scheme;
  const other = /^#\/components\/securitySchemes\/([^/]+)$/.exec(reference)?.[1];
  return other === undefined ? undefined : schemeOf(document, decodedStep(other), steps - 1);
}

/** Schemes whose credentials follow from a challenge or the request (IANA's registry); a fixed header can't be one. */
const negotiated =
  /^(?:digest|dpop|gnap|hoba|mutual|negotiate|ntlm|oauth|privatetoken|scram-sha-1|scram-sha-256|vapid|aws4-hmac-sha256)$/;

function takeoverOf(scheme: Readonly<Record<string, unknown>> | undefined): Takeover {
  if (scheme === undefined) return { obstacle: 'which the document does not describe' };
  const { type, in: place, name, scheme: kind } = scheme;
  if (type === 'apiKey' && typeof name === 'string') return keyTakeover(place, name);
  if (type === 'oauth2') return { obstacle: 'OAuth 2.0, whose tokens the gateway does not fetch' };
  if (type === 'openIdConnect') return { obstacle: 'OpenID Connect, whose tokens the gateway does not fetch' };
  if (type === 'mutualTLS')
    return {
      take: (_variable, todo) => {
        todo('Set gateway.tls.certificate and gateway.tls.key: the API asks for a client certificate.');
        return [];
      },
    };
  if (type !== 'http') return { obstacle: `a scheme of the type ${JSON.stringify(type)}` };
  const word = String(kind).toLowerCase();
  if (word === 'bearer')
    return {
      header: 'authorization',
      take: (variable, todo) => [{ type: 'bearer', token: told(variable('TOKEN'), todo) }],
    };
  if (word === 'basic')
    return {
      header: 'authorization',
      take: (variable, todo) => {
        todo('Set the user name in gateway.credentials.');
        return [{ type: 'basic', user: 'octroi', password: told(variable('PASSWORD'), todo) }];
      },
    };
  if (negotiated.test(word)) return { obstacle: `HTTP authentication "${word}", which the gateway does not speak` };
  return inHeader('Authorization', `, the whole header Authorization, such as "${String(kind)} …"`);
}

function keyTakeover(place: unknown, name: string): Takeover {
  if (place === 'query')
    return { obstacle: `a key in the query parameter ${name}, and the gateway sends headers only` };
  if (place === 'cookie') return inHeader('Cookie', `, the whole header Cookie, such as "${name}=…"`);
  if (place !== 'header') return { obstacle: `a key in ${JSON.stringify(place)}` };
  if (name.toLowerCase() !== 'authorization') return inHeader(name, '');
  return inHeader(name, ', the whole header Authorization, with a word such as Bearer in front if the API wants one');
}

function inHeader(name: string, whole: string): Takeover {
  const credential = (env: string) => ({ type: 'header', name, value: { env } });
  if (!gatewayOptions.safeParse({ credentials: [credential(`${secretPrefix}KEY`)] }).success)
    return { obstacle: `a key in the header ${JSON.stringify(name)}, which the gateway can't set` };
  return {
    header: name.toLowerCase(),
    take: (variable, todo) => [credential(told(variable('KEY'), todo, whole).env)],
  };
}

function told(source: { env: string }, todo: (line: string) => void, whole = ''): { env: string } {
  todo(`Set ${source.env} in the gateway's environment: the upstream's own credentials${whole}.`);
  return source;
}
