import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { signatureFault } from './signature.ts';

export interface S3Options {
  keyId: string;
  secret: string;
  region: string;
  bucket: string;
  /** Objects per page of a list. */
  pageSize?: number;
  /** The smallest part but the last one; Amazon's is 5 MB. */
  leastPartBytes?: number;
  /** Any free one by default. */
  port?: number;
  /** Keeps the objects in files; in memory alone by default. */
  folder?: string;
}

interface Stored {
  body: Buffer;
  at: Date;
}

const quotedMd5 = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

const respond = (res: ServerResponse, status: number, xml: string, headers: Record<string, string> = {}): void => {
  res.writeHead(status, { 'content-type': 'application/xml', ...headers });
  res.end(xml === '' ? '' : `<?xml version="1.0" encoding="UTF-8"?>${xml}`);
};
const refuse = (res: ServerResponse, status: number, code: string): void =>
  respond(res, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);

function readFolder(folder: string): Map<string, Stored> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Map(
    readdirSync(folder).map((file) => {
      const path = join(folder, file);
      return [decodeURIComponent(file), { body: readFileSync(path), at: statSync(path).mtime }];
    }),
  );
}

/** A store that speaks S3's wire protocol, as far as backups use it: objects, uploads in parts, lists in pages, signatures. */
export async function startS3({ pageSize = 1000, leastPartBytes = 5 * 1024 * 1024, ...options }: S3Options) {
  const { folder } = options;
  const objects = folder === undefined ? new Map<string, Stored>() : readFolder(folder);
  const store = (name: string, body: Buffer): void => {
    if (folder !== undefined) writeFileSync(join(folder, encodeURIComponent(name)), body);
    objects.set(name, { body, at: new Date() });
  };
  const remove = (name: string): void => {
    if (folder !== undefined) rmSync(join(folder, encodeURIComponent(name)), { force: true });
    objects.delete(name);
  };
  const uploads = new Map<string, { name: string; parts: Map<number, Buffer> }>();
  let failing = 0;
  let isReadOnly = false;

  const list = (res: ServerResponse, query: URLSearchParams): void => {
    const after = query.get('continuation-token') ?? '';
    const all = [...objects].filter(([name]) => name.startsWith(query.get('prefix') ?? '') && name > after);
    const page = all.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, pageSize);
    const more = all.length > page.length;
    const items = page.map(
      ([name, { body, at }]) =>
        `<Contents><Key>${name}</Key><LastModified>${at.toISOString()}</LastModified><ETag>${quotedMd5(body)}</ETag><Size>${body.length}</Size></Contents>`,
    );
    const next = more ? `<NextContinuationToken>${page.at(-1)?.[0] ?? ''}</NextContinuationToken>` : '';
    respond(
      res,
      200,
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${items.join('')}${next}</ListBucketResult>`,
    );
  };

  const finishUpload = (res: ServerResponse, uploadId: string, body: Buffer): void => {
    const upload = uploads.get(uploadId);
    if (upload === undefined) return refuse(res, 404, 'NoSuchUpload');
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
    const parts = named.map(([, number, tag]) => ({ part: upload.parts.get(Number(number)), tag }));
    if (parts.some(({ part, tag }) => part === undefined || quotedMd5(part) !== tag))
      return refuse(res, 400, 'InvalidPart');
    if (parts.slice(0, -1).some(({ part }) => (part?.length ?? 0) < leastPartBytes))
      return refuse(res, 400, 'EntityTooSmall');
    const whole = Buffer.concat(parts.flatMap(({ part }) => part ?? []));
    store(upload.name, whole);
    uploads.delete(uploadId);
    return respond(
      res,
      200,
      `<CompleteMultipartUploadResult><ETag>${quotedMd5(whole)}</ETag></CompleteMultipartUploadResult>`,
    );
  };

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await buffer(req);
    if (failing > 0) {
      failing -= 1;
      return refuse(res, 503, 'SlowDown');
    }
    const fault = signatureFault(req, body, options, Date.now());
    if (fault !== undefined) return refuse(res, fault === 'XAmzContentSHA256Mismatch' ? 400 : 403, fault);
    if (isReadOnly && req.method !== 'GET' && req.method !== 'HEAD') return refuse(res, 403, 'AccessDenied');
    const { pathname, searchParams: query } = new URL(req.url ?? '/', 'http://store');
    const [, bucket, ...rest] = decodeURIComponent(pathname).split('/');
    if (bucket !== options.bucket) return refuse(res, 404, 'NoSuchBucket');
    const name = rest.join('/');
    const uploadId = query.get('uploadId') ?? '';
    if (req.method === 'GET' && name === '') return list(res, query);
    if (req.method === 'POST' && query.has('uploads')) {
      const id = `upload-${uploads.size + 1}-${Date.now()}`;
      uploads.set(id, { name, parts: new Map() });
      return respond(
        res,
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (req.method === 'POST') return finishUpload(res, uploadId, body);
    if (req.method === 'PUT' && uploadId !== '') {
      if (!uploads.has(uploadId)) return refuse(res, 404, 'NoSuchUpload');
      uploads.get(uploadId)?.parts.set(Number(query.get('partNumber')), body);
      return respond(res, 200, '', { etag: quotedMd5(body) });
    }
    if (req.method === 'PUT') {
      store(name, body);
      return respond(res, 200, '', { etag: quotedMd5(body) });
    }
    if (req.method === 'DELETE') {
      if (uploadId === '') remove(name);
      else uploads.delete(uploadId);
      return respond(res, 204, '');
    }
    const stored = objects.get(name);
    if (stored === undefined) return refuse(res, 404, 'NoSuchKey');
    res.writeHead(200, { 'content-length': stored.body.length, etag: quotedMd5(stored.body) });
    res.end(req.method === 'HEAD' ? '' : stored.body);
  };

  const server = createServer((req, res) => void handle(req, res).catch(() => res.destroy()));
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The store has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/${options.bucket}`,
    objects,
    /** How many uploads in parts are neither finished nor given up. */
    unfinished: () => uploads.size,
    /** The next requests get 503, as under load. */
    failNext: (count: number) => void (failing = count),
    /** The key may list and read from now on, and not write. */
    forbidWriting: () => void (isReadOnly = true),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
