import { type Listed, type OpenApiDocument, parametersOf } from './openapi-document.ts';

/** Names of parameters that hold a secret of the caller, without what stands between their words. */
const secretName =
  /^(?:x?authorization|(?:.*(?:api|app|auth|access|secret|subscription|license|partner|private|bearer|session|security)(?:key|token|secret))|.*(?:clientsecret|apipassword)|x?token|key)$/;

/** Keys that the document describes as plain parameters, not as a scheme. */
export function sayKeysAmongParameters(
  document: OpenApiDocument,
  operations: readonly Listed[],
  sent: ReadonlySet<string>,
  todo: (line: string) => void,
): void {
  const found = new Map<string, { place: string; name: string; calls: Listed[] }>();
  for (const listed of operations) {
    for (const { name = '', in: place = '' } of parametersOf(document, listed)) {
      if (!secretName.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))) continue;
      if (!['header', 'query', 'cookie'].includes(place)) continue;
      if (place === 'header' && (sent.has(name.toLowerCase()) || name.toLowerCase() === 'key')) continue;
      const key = `${place} ${name}`;
      const seen = found.get(key) ?? { place, name, calls: [] };
      if (!seen.calls.includes(listed)) seen.calls.push(listed);
      found.set(key, seen);
    }
  }
  for (const { place, name, calls } of found.values()) {
    const what = `${callsText(calls)}: the ${place} parameter ${name} looks like the API's own key.`;
    const header = place === 'cookie' ? 'Cookie' : name;
    todo(
      place === 'query'
        ? `${what} The gateway sends headers only, so let the API take it in a header; otherwise customers need a key of the API.`
        : `${what} If it is, add { type: header, name: ${header}, value: { env: … } } to gateway.credentials; then customers neither send nor see it.`,
    );
  }
}

/** `GET /a`, or `GET /a and 3 more calls`. */
export function callsText(calls: readonly Listed[]): string {
  const [{ method, path } = { method: '', path: '' }] = calls;
  const more = calls.length - 1;
  return `${method.toUpperCase()} ${path}${more === 0 ? '' : more === 1 ? ' and one more call' : ` and ${more} more calls`}`;
}
