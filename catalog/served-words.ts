import type { Product } from './catalog.ts';
import type { Credentials, GatewayOptions, SecretSource } from './gateway-options.ts';

/** How a product is reached and served, in words: what a change of a catalogue must show, whoever made it. */
export function servedWords({ upstreamUrl, sandbox, openapi, gateway }: Product): Map<string, string> {
  const { credentials, tls, health, paths, ...options } = gateway;
  return new Map([
    ['address of the API', upstreamUrl],
    ['sandbox', sandbox === undefined ? 'none' : `${sandbox.upstreamUrl}, ${sandbox.dailyCalls} calls a day`],
    ['paths', paths === 'any' ? 'any' : 'versioned (/v1/…)'],
    ['OpenAPI document', 'path' in openapi ? `${openapi.path} of the API` : openapi.file],
    ['credentials', credentials.map(credentialWords).join(', ') || 'none'],
    ['TLS', tlsWords(tls)],
    ['health check', health === undefined ? 'none' : `${health.path} every ${health.everySeconds} s`],
    ...Object.entries(options).map(([name, value]) => [name, JSON.stringify(value)] as const),
  ]);
}

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
