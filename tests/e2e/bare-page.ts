import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const program = `import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
function Page() {
  const [count, setCount] = useState(0);
  return createElement('main', null, createElement('h1', null, 'A page'), createElement('button', { onClick: () => setCount(count + 1) }, 'Pressed ' + count));
}
createRoot(document.getElementById('root')).render(createElement(Page));`;

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title>
<script type="module" src="/page.js"></script></head><body><div id="root"></div></body></html>`;

/** A React page that does nothing, compressed as the portal's are: less than that no page with React can load. */
export async function serveBarePage(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const files = new Map([
    ['/', { type: 'text/html', body: gzipSync(html) }],
    ['/page.js', { type: 'text/javascript', body: gzipSync(outputFiles[0]?.contents ?? '') }],
  ]);
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (file === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': file.type, 'content-encoding': 'gzip' }).end(file.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The bare page has no port');
  return {
    url: `http://localhost:${address.port}/`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
