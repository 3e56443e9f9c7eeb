import type { IncomingMessage } from 'node:http';
import { headerRepeated, methodUnsupported, noUpgrade, type Refusal, transferCodingUnsupported } from './refusals.ts';

/** The methods of OpenAPI, except TRACE: its response would echo the headers that the gateway adds. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']);

/** Refuses requests that cannot be a call to any API, whatever their path and key. */
export function checkRequestHead(req: IncomingMessage): Refusal | undefined {
  const { headers, method = '' } = req;
  if (headers.upgrade?.toLowerCase() === 'websocket') return noUpgrade;
  if (!methods.has(method)) return methodUnsupported(method);
  // RFC 9112 §6.1: Node decodes `chunked` only, so it would forward a body in another coding as if it were decoded.
  const coding = headers['transfer-encoding'];
  // HTTP/1.0 has none, so a proxy in front of the gateway may have found another end of the body.
  if (coding !== undefined && (coding.trim().toLowerCase() !== 'chunked' || req.httpVersionMinor === 0))
    return transferCodingUnsupported;
  return checkRepeatedHeaders(req.rawHeaders);
}

/** Node uses the first of repeated headers, but a proxy or log in front of the gateway may use the last. */
function checkRepeatedHeaders(rawHeaders: readonly string[]): Refusal | undefined {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) return headerRepeated('Host');
  return authorizations > 1 ? headerRepeated('Authorization') : undefined;
}
