import type { IncomingMessage } from 'node:http';
import { parseHeaders } from '#gateway/http/header-rules.ts';
import { unknownPath, upstreamFailed } from '#gateway/http/refusals.ts';
import type { Reply } from '#gateway/http/reply.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';

/** Far larger than any real OpenAPI document. */
const maxBytes = 4 * 1024 * 1024;

/** Serves a product's OpenAPI document, without a key and uncounted: readers of a reference may not have a key yet. */
export async function serveProductOpenApi(
  req: IncomingMessage,
  upstream: Upstream,
  path: string,
  reply: Reply,
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return reply.refuse(unknownPath);
  try {
    const { status, body } = await upstream.read(path);
    if (status !== 200 || body.length > maxBytes) return reply.refuse(upstreamFailed);
    const headers = ['Content-Type', 'application/json', 'Cache-Control', 'public, max-age=300'];
    const { res, headerLines } = reply;
    res.writeHead(200, [...parseHeaders(headerLines), ...headers, 'Content-Length', String(body.length)]);
    res.end(req.method === 'HEAD' ? undefined : body);
  } catch {
    reply.refuse(upstreamFailed);
  }
  return undefined;
}
