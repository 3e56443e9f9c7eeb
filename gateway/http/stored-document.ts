import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isAccepted, isKnown, weakTagOf } from '#shared/platform/negotiation.ts';
import { parseHeaders } from './header-rules.ts';
import type { Reply } from './reply.ts';

/** A JSON document that is read often and changes seldom. */
export interface StoredDocument {
  body: Buffer;
  gzipped: Buffer;
  etag: string;
}

export async function storeDocument(document: object): Promise<StoredDocument> {
  const body = Buffer.from(JSON.stringify(document));
  return { body, gzipped: await promisify(gzip)(body), etag: weakTagOf(body) };
}

/** Responds with it: compressed if the caller accepts that, and with 304 if the caller has it. */
export function sendDocument(req: IncomingMessage, { res, headerLines }: Reply, document: StoredDocument): void {
  const { body, gzipped, etag } = document;
  const caching = ['ETag', etag, 'Cache-Control', 'public, max-age=300', 'Vary', 'Accept-Encoding'];
  const common = [...parseHeaders(headerLines), ...caching];
  if (isKnown(req.headers['if-none-match'], etag)) {
    res.writeHead(304, common);
    res.end();
    return;
  }
  const codings = req.headers['accept-encoding'];
  const isSmaller = isAccepted(codings, 'gzip') || isAccepted(codings, 'x-gzip');
  const shown = isSmaller ? gzipped : body;
  const encoding = isSmaller ? ['Content-Encoding', 'gzip'] : [];
  const headers = ['Content-Type', 'application/json', ...encoding, 'Content-Length', String(shown.length)];
  res.writeHead(200, [...common, ...headers]);
  res.end(req.method === 'HEAD' ? undefined : shown);
}
