import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const localOrigins = ['http', 'https'].flatMap((each) => [`${each}://localhost:*`, `${each}://127.0.0.1:*`]).join(' ');

/** Nothing inline, nothing from other origins; only pages of this machine may frame it or receive its forms. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `img-src 'self' data: ${localOrigins}`,
  "connect-src 'self'",
  `form-action 'self' ${localOrigins}`,
  `frame-ancestors ${localOrigins}`,
  "base-uri 'none'",
].join('; ');

/** The folder of browser files, searched upwards so that bundles and sources both find it. */
function browserFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'ship', 'standins', 'browser');
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error('ship/standins/browser was not found above this program.');
  }
}

/** Serves browser files from a table of URL path to file name. */
export function serveAssets(app: FastifyInstance, files: Record<string, string>): void {
  const folder = browserFolder();
  for (const [address, file] of Object.entries(files)) {
    const body = readFileSync(join(folder, file));
    const extension = extname(file);
    app.get(address, async (_request, reply) => {
      reply.type(mediaTypes[extension] ?? 'application/octet-stream');
      reply.header('cache-control', 'no-cache');
      reply.header('cross-origin-resource-policy', 'cross-origin');
      reply.header('access-control-allow-origin', '*');
      if (extension === '.html') reply.header('content-security-policy', pagePolicy);
      return reply.send(body);
    });
  }
}
