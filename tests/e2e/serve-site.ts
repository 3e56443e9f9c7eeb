import { once } from 'node:events';
import { createServer } from 'node:http';
import { brotliCompressSync } from 'node:zlib';

export interface SiteFile {
  type: string;
  body: string | Uint8Array;
}

export interface ServedSite {
  url: string;
  stop: () => Promise<void>;
}

/** Serves files by their paths, compressed as the portal's are, until it is stopped. */
export async function serveSite(files: ReadonlyMap<string, SiteFile>): Promise<ServedSite> {
  const compressed = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const file = files.get(path);
    if (file === undefined) return response.writeHead(404).end();
    const body = compressed.get(path) ?? brotliCompressSync(file.body);
    compressed.set(path, body);
    return response.writeHead(200, { 'content-type': file.type, 'content-encoding': 'br' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port');
  return {
    url: `http://localhost:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
