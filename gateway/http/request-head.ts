import type { IncomingMessage } from 'node:http';
import {
  badVersion,
  headerRepeated,
  methodUnsupported,
  noUpgrade,
  type Refusal,
  transferCodingUnsupported,
} from './refusals.ts';

/** Methods that an API can describe (OpenAPI), without TRACE, whose response repeats what the gateway adds to a call. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']);

/** Why a request cannot be a call of any API, whatever its path and key; undefined when it can. */
export function faultOfHead(req: IncomingMessage): Refusal | undefined {
  const { headers, method = '' } = req;
  // Before HTTP/1.0 a response had no status, and a request no end that could be trusted.
  if (req.httpVersionMajor < 1) return badVersion;
  if (headers.upgrade?.toLowerCase() === 'websocket') return noUpgrade;
  if (!methods.has(method)) return methodUnsupported(method);
  // RFC 9112 §6.1: Node takes off `chunked` alone, so a body in another coding would be passed on as if it had none.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return transferCodingUnsupported;
  return faultOfRepeats(req.rawHeaders);
}

/** Node takes the first of several; a proxy before the gateway, or a log, may take the last. */
function faultOfRepeats(rawHeaders: readonly string[]): Refusal | undefined {
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
