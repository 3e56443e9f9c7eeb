import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
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
  // Weak: the same whether it is compressed or not (RFC 9110, 8.8.1).
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, gzipped: await promisify(gzip)(body), etag };
}

/** Responds with it: compressed if the caller accepts that, and with 304 if the caller has it. */
export function sendDocument(req: IncomingMessage, { res, headerLines }: Reply, document: StoredDocument): void {
  const { body, gzipped, etag } = document;
  const caching = ['ETag', etag, 'Cache-Control', 'public, max-age=300', 'Vary', 'Accept-Encoding'];
  const common = [...parseHeaders(headerLines), ...caching];
  if (knows(req.headers['if-none-match'], etag)) {
    res.writeHead(304, common);
    res.end();
    return;
  }
  const isSmaller = acceptsGzip(req.headers['accept-encoding']);
  const shown = isSmaller ? gzipped : body;
  const encoding = isSmaller ? ['Content-Encoding', 'gzip'] : [];
  const headers = ['Content-Type', 'application/json', ...encoding, 'Content-Length', String(shown.length)];
  res.writeHead(200, [...common, ...headers]);
  res.end(req.method === 'HEAD' ? undefined : shown);
}

/** If-None-Match: a list of tags, or `*`. Weak comparison (RFC 9110, 13.1.2). */
function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.some((tag) => tag === '*' || tag === etag || `W/${tag}` === etag);
}

function acceptsGzip(acceptEncoding: string | string[] | undefined): boolean {
  return String(acceptEncoding ?? '')
    .split(',')
    .some((each) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i.test(each));
}
