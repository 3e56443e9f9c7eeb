import { build } from 'esbuild';
import { type ServedSite, serveSite } from './serve-site.ts';

const program = `import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
function Page() {
  const [count, setCount] = useState(0);
  return createElement('main', null, createElement('h1', null, 'A page'), createElement('button', { onClick: () => setCount(count + 1) }, 'Pressed ' + count));
}
createRoot(document.getElementById('root')).render(createElement(Page));`;

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title>
<script type="module" src="/page.js"></script></head><body><div id="root"></div></body></html>`;

/** A React page that does nothing: less than that no page with React can load. */
export async function serveBarePage(): Promise<ServedSite> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return serveSite(
    new Map([
      ['/', { type: 'text/html', body: html }],
      ['/page.js', { type: 'text/javascript', body: outputFiles[0]?.contents ?? '' }],
    ]),
  );
}
