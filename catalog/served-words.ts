import type { Product } from './catalog.ts';
import type { Credentials, GatewayOptions, SecretSource } from './gateway-options.ts';

/** A way in which a product is reached or served: in words, and the value, which may hold a credential and is never shown. */
interface Served {
  words: string;
  value: unknown;
}

/** How a product is reached and served. Every change of a catalogue shows it. */
export function servedWays({ upstreamUrl, sandbox, openapi, gateway }: Product): Map<string, Served> {
  const { credentials, tls, health, paths, requestHeaders, responseHeaders, ...options } = gateway;
  const ways: readonly (readonly [string, unknown, string])[] = [
    ['address of the API', upstreamUrl, upstreamUrl],
    ['sandbox', sandbox, sandbox === undefined ? 'none' : `${sandbox.upstreamUrl}, ${sandbox.dailyCalls} calls a day`],
    ['paths', paths, paths === 'any' ? 'any' : 'versioned (/v1/…)'],
    ['OpenAPI document', openapi, 'path' in openapi ? `${openapi.path} of the API` : openapi.file],
    ['credentials', credentials, credentials.map(credentialWords).join(', ') || 'none'],
    ['TLS', tls, tlsWords(tls)],
    [
      'health check',
      health,
      health === undefined ? 'none' : `${pathWords(health.path)} every ${health.everySeconds} s`,
    ],
    ['requestHeaders', requestHeaders, headerWords(requestHeaders)],
    ['responseHeaders', responseHeaders, headerWords(responseHeaders)],
    ...Object.entries(options).map(([name, value]) => [name, value, JSON.stringify(value)] as const),
  ];
  return new Map(ways.map(([name, value, words]) => [name, { value, words }]));
}

/** The names alone: the value of a header, and a query, may be a key. */
function headerWords({ add, pass = [], drop }: { add: object; pass?: readonly string[]; drop: readonly string[] }) {
  const lists = [
    ['adds', Object.keys(add)],
    ['passes', pass],
    ['drops', drop],
  ] as const;
  return (
    lists.flatMap(([verb, names]) => (names.length === 0 ? [] : [`${verb} ${names.join(', ')}`])).join('; ') || 'none'
  );
}
const pathWords = (path: string): string => path.replace(/\?.*$/s, '?…');

const sourceOf = (source: SecretSource): string => ('env' in source ? source.env : `file ${source.file}`);

function credentialWords(one: Credentials): string {
  if (one.type === 'header') return `header ${one.name} from ${sourceOf(one.value)}`;
  if (one.type === 'bearer') return `bearer token from ${sourceOf(one.token)}`;
  if (one.type === 'basic') return `user ${one.user} with the password from ${sourceOf(one.password)}`;
  return `signature of ${one.keyId} with the secret from ${sourceOf(one.secret)}`;
}

function tlsWords(tls: GatewayOptions['tls']): string {
  if (tls === undefined) return 'as usual';
  const { ca, certificate, key } = tls;
  const parts = [
    ca === undefined ? [] : `CA from file ${ca}`,
    certificate === undefined ? [] : `certificate from file ${certificate}`,
    key === undefined ? [] : `key from ${sourceOf(key)}`,
  ];
  return parts.flat().join(', ') || 'as usual';
}
