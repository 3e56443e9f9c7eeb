/**
 * A line for a terminal that calls the product with a key. `request`: the catalogue's sample, "GET /v1/gstin/27AAPFU0939F1ZV",
 * and on the lines after it what a POST sends.
 */
export function sampleCommand(baseUrl: string, request: string, apiKey: string): string {
  const [head = '', ...rest] = request.trim().split('\n');
  const [method = 'GET', path = ''] = head.split(' ');
  const body = rest.join('\n').trim();
  const parts = ['curl'];
  if (method !== 'GET') parts.push(`-X ${method}`, `-H 'Content-Type: application/json'`, `-d ${quoted(body || '{}')}`);
  parts.push(`-H ${quoted(`Authorization: Bearer ${apiKey}`)}`, quoted(`${baseUrl.replace(/\/$/, '')}${path}`));
  return parts.join(' ');
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
