import { createHmac } from 'node:crypto';

/** A covered component of a message: its identifier without quotes, such as `@method` or `date`, and its value. */
export type Component = readonly [name: string, value: string];

/** Signs components of a message with hmac-sha256 (RFC 9421 §3.3.3). Returns `Signature-Input` and `Signature` with the given label. */
export function signMessage(
  components: readonly Component[],
  { label, keyId, secret, created }: { label: string; keyId: string; secret: Buffer; created: number },
): string[] {
  const covered = components.map(([name]) => `"${name}"`).join(' ');
  const parameters = `(${covered});created=${created};keyid="${keyId}"`;
  const base = [...components.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${parameters}`].join(
    '\n',
  );
  const signature = createHmac('sha256', secret).update(base).digest('base64');
  return ['Signature-Input', `${label}=${parameters}`, 'Signature', `${label}=:${signature}:`];
}

/** Signs method, path and query of a request. `target`: path and query. */
export function signRequest(method: string, target: string, keyId: string, secret: Buffer): string[] {
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  // RFC 9421 §2.2.7: an absent query is signed as a lone `?`.
  const query = queryAt === -1 ? '?' : target.slice(queryAt);
  const components: Component[] = [
    ['@method', method],
    ['@path', path],
    ['@query', query],
  ];
  return signMessage(components, { label: 'gateway', keyId, secret, created: Math.floor(Date.now() / 1000) });
}
