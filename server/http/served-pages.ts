import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PortalConfig } from '#shared/contract/portal-config.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { Portal } from '#server/portal.ts';
import { criticalCss } from './critical-css.ts';
import { type Precompressed, precompress } from './precompressed.ts';

type InLanguages = Record<'en' | 'hi', string>;

/** What the build has made beside the pages (web/served-pages.tsx). */
interface Renderer {
  paths: readonly string[];
  renderPage: (path: string, config: PortalConfig, now: string) => Promise<InLanguages>;
}

/** Completes the HTML of an entry for an address: with what its page shows before any code has come, and the styles of that. */
export type ServePage = (html: string, address: string) => Promise<Precompressed>;

/** For an installation; `folder` has the built pages. Each page is made once a day, when it is first asked for: some show the day. */
export async function openServedPages(folder: string, portal: Portal, config: PortalConfig): Promise<ServePage> {
  const { renderPage, paths, styles } = await rendererBeside(folder);
  const patterns = paths.map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`) }));
  let made = { day: dayOf(portal.clock()), pages: new Map<string, Promise<Precompressed>>() };

  async function make(html: string, path: string | undefined, now: number): Promise<Precompressed> {
    if (path === undefined) return precompress(html);
    const shown = await renderPage(path, config, new Date(now).toISOString()).catch((error: unknown) => {
      // Its code draws the page then, a little later.
      portal.log.error({ err: error, path }, 'A page could not be rendered');
      return { en: '', hi: '' };
    });
    const css = criticalCss(styles, shown.en + shown.hi);
    return precompress(
      html
        .replace('<!--critical-css-->', () => `<style>${css}</style>`)
        .replace('<!--served-en-->', () => shown.en)
        .replace('<!--served-hi-->', () => shown.hi),
    );
  }

  return (html, address) => {
    const now = portal.clock();
    if (made.day !== dayOf(now)) made = { day: dayOf(now), pages: new Map() };
    const path = html.includes('<!--served-en-->')
      ? patterns.find(({ pattern }) => pattern.test(address))?.path
      : undefined;
    const key = path ?? html;
    const page = made.pages.get(key) ?? make(html, path, now);
    made.pages.set(key, page);
    return page;
  };
}

async function rendererBeside(folder: string): Promise<Renderer & { styles: string }> {
  const built = join(folder, '../served-pages');
  if (!existsSync(join(built, 'render.js')))
    return { paths: [], styles: '', renderPage: async () => ({ en: '', hi: '' }) };
  const { paths, renderPage }: Renderer = await import(pathToFileURL(join(built, 'render.js')).href);
  const sheets = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.css'));
  const styles = sheets.map((name) => readFileSync(join(built, 'assets', name), 'utf8')).join('');
  return { paths, renderPage, styles };
}
