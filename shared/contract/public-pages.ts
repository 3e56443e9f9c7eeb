import type { Product } from './marketplace.ts';
import type { PortalConfig } from './portal-config.ts';

/** What the server gives to the renderer of the public pages, which web/public-pages implements. */

export const publicLanguages = ['en', 'hi'] as const;
export type PublicLanguage = (typeof publicLanguages)[number];

/** A product as everybody may see it: without private plans. */
export type PublicProduct = Omit<Product, 'activateNow'>;

/** What a page is about. */
export type PublicContent =
  | { kind: 'apis'; products: PublicProduct[] }
  | { kind: 'api'; product: PublicProduct; hasReference: boolean }
  | { kind: 'pricing'; products: PublicProduct[] }
  | { kind: 'changelog'; product: PublicProduct }
  | { kind: 'reference'; product: PublicProduct; document: object }
  | { kind: 'operation'; product: PublicProduct; document: object; operationId: string }
  | { kind: 'missing' };

export interface PublicPage {
  content: PublicContent;
  language: PublicLanguage;
  /** Its address without the language, such as `/apis`. */
  path: string;
  /** Where the pages are. */
  portalUrl: string;
  config: PortalConfig;
  /** Addresses of its style sheets. */
  styles: readonly string[];
  /** Of its tab. */
  icon: { href: string; type: string };
}

/** The address of a page in a language: English has none in its path. An operation may be called in any script. */
export const publicAddress = (path: string, language: PublicLanguage): string =>
  encodeURI(language === 'en' ? path : `/${language}${path}`);

/** The module that the build writes. */
export interface PublicRenderer {
  /** Loads the texts of all languages. */
  ready: () => Promise<void>;
  /** The ids of the operations of an OpenAPI document, webhooks too, as in the addresses of their pages; none when it can't be read. */
  operationsIn: (document: object) => string[];
  /** What a page says of itself. */
  describe: (page: PublicPage) => { title: string; description: string };
  /** The whole document. */
  render: (page: PublicPage) => string;
}
