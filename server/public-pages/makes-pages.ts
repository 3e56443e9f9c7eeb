import type { PageHit, PublicLanguage, StatusNow } from '#shared/contract/public-pages.ts';
import { weakTagOf } from '#shared/platform/negotiation.ts';
import { type Precompressed, precompress } from '#server/http/precompressed.ts';
import type { SiteSource } from './site-source.ts';

/** A page as it is sent. */
export interface MadePage extends Precompressed {
  status: number;
  etag: string;
  bytes: number;
}

export interface SearchTask {
  query: string;
  language: PublicLanguage;
  most?: number;
}

/** Makes everything that takes long of the public pages. All but `open` is about the site that was opened last. */
export interface MakesPages {
  /** The addresses of its pages. */
  open: (source: SiteSource) => Promise<string[]>;
  /** `status`: how the APIs stand now. */
  page: (of: {
    language: PublicLanguage;
    path: string;
    form: 'html' | 'markdown';
    status?: StatusNow;
  }) => Promise<MadePage>;
  file: (of: { name: 'sitemap' | 'llms' | 'llms-full' }) => Promise<MadePage>;
  find: (of: SearchTask) => Promise<PageHit[]>;
  /** The page of what was found. */
  search: (of: SearchTask) => Promise<string>;
  /** The words on the picture of a hash, as an SVG of their outlines; undefined when no page has it. */
  picture: (of: { hash: string }) => Promise<string | undefined>;
}

export function madePage(text: string, status = 200): MadePage {
  const packed = precompress(text);
  return {
    ...packed,
    status,
    etag: weakTagOf(text),
    bytes: packed.identity.length + packed.br.length + packed.gzip.length,
  };
}
