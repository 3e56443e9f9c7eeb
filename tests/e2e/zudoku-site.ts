import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { run } from '#ship/launch/install.mjs';
import { installBeside } from './beside.ts';
import { type ServedSite, type SiteFile, serveSite } from './serve-site.ts';

export const zudokuVersion = '0.76.0';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

// Its own icon and logo are on a server of theirs.
const config = `export default {
  metadata: { favicon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>' },
  site: { title: 'An API' },
  apis: [{ type: 'file', input: './openapi.json', path: '/api' }],
};`;

/** The site that zudoku, a portal for API documentation, builds of an OpenAPI document. `url`: its page of the first tag. */
export async function serveZudokuSite(openapi: string): Promise<ServedSite> {
  const packages = await installBeside([`zudoku@${zudokuVersion}`, 'react@19.2.5', 'react-dom@19.2.5']);
  // Below its packages, so that it finds them.
  const folder = mkdtempSync(join(packages, 'site-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'zudoku.config.tsx'), config);
    writeFileSync(join(folder, 'openapi.json'), openapi);
    const program = join(packages, 'node_modules', 'zudoku', 'cli.js');
    const quiet = { ZUDOKU_DO_NOT_TRACK: '1', ZUDOKU_DISABLE_UPDATE_CHECK: '1', CI: '1' };
    await run('Building a zudoku site', process.execPath, [program, 'build'], folder, { ...process.env, ...quiet });
    const files = filesOf(join(folder, 'dist'));
    const first = [...files.keys()].find((path) => /^\/api\/[a-z]/.test(path));
    const { url, stop } = await serveSite(files);
    return { url: url + first, stop };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By the addresses that it links. */
function filesOf(folder: string): Map<string, SiteFile> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => extname(name) in types)
      .toSorted()
      .map((name) => [
        `/${name.replace(/\.html$/, '')}`,
        { type: types[extname(name)] ?? '', body: readFileSync(join(folder, name)) },
      ]),
  );
}
