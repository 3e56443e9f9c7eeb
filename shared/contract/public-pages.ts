import type { Product } from './marketplace.ts';
import type { PortalConfig } from './portal-config.ts';

/** What the server gives to the renderer of the public pages, which web/public-pages implements. */

export const publicLanguages = ['en', 'hi'] as const;
export type PublicLanguage = (typeof publicLanguages)[number];

/** A product as everybody may see it: without private plans. */
export type PublicProduct = Omit<Product, 'activateNow'>;

/** Whether an API can be used. `degraded`: of the last checks some failed. `unknown`: nothing was checked lately. */
export type ApiState = 'up' | 'degraded' | 'down' | 'unknown';

export interface ApiStatus {
  productId: string;
  state: ApiState;
  /** Does the gateway ask the API itself? Else the status is that of the gateway. */
  isAsked: boolean;
  /** ISO 8601; null: never. */
  checkedAt: string | null;
  /** Of the last days up to today, those on which it was checked, by day. */
  days: readonly { day: string; checks: number; failed: number }[];
}

/** What /status shows. */
export interface StatusNow {
  today: string;
  apis: readonly ApiStatus[];
}

/** Days in the strip of an API. */
export const statusDays = 90;

/** A text that its page shows as Markdown, safely. */
export interface PublicText {
  title: string;
  /** Its first paragraph. */
  lead: string;
  /** The same in plain words. */
  description: string;
  body: string;
  /** English where there is no translation. */
  language: PublicLanguage;
}

/** A guide of the catalogue. `product`: the one that it is about; undefined: all of them. */
export interface PublicGuide extends PublicText {
  id: string;
  product: string | undefined;
}

/** What a provider says on a page of its own (decision 44), in the order of the links to them. */
export const legalPages = ['terms', 'privacy', 'refunds', 'contact'] as const;
export type LegalPage = (typeof legalPages)[number];

/** A page that was found. */
export interface PageHit {
  /** Its address without the language. */
  path: string;
  kind: PublicContent['kind'];
  title: string;
  /** Where the words stand, or what the page is about. */
  text: string;
}

/** Finds public pages; `most`: how many at most. */
export type FindPages = (query: string, language: PublicLanguage, most?: number) => Promise<PageHit[]>;

/** Letters of a search: more are cut. */
export const maxQuery = 100;

/** What a page is about. */
export type PublicContent =
  | { kind: 'apis'; products: PublicProduct[] }
  | { kind: 'api'; product: PublicProduct; hasReference: boolean; guides: PublicGuide[] }
  | { kind: 'pricing'; products: PublicProduct[] }
  | { kind: 'status'; products: PublicProduct[]; status: StatusNow }
  | { kind: 'changelog'; product: PublicProduct }
  | { kind: 'reference'; product: PublicProduct; document: object }
  | { kind: 'tag'; product: PublicProduct; document: object; tagId: string }
  | { kind: 'operation'; product: PublicProduct; document: object; operationId: string }
  | { kind: 'guides'; guides: PublicGuide[]; products: PublicProduct[] }
  | { kind: 'guide'; guide: PublicGuide; guides: PublicGuide[] }
  | { kind: 'legal'; text: PublicText }
  | { kind: 'search'; query: string; hits: readonly PageHit[] }
  /** It took too long to make. */
  | { kind: 'unshown' }
  | { kind: 'missing' };

/** On the picture that previews of links show. */
export interface PictureWords {
  title: string;
  line: string;
}

export interface PublicPage {
  content: PublicContent;
  language: PublicLanguage;
  /** Its address without the language, such as `/apis`. */
  path: string;
  /** Without any there is no page of guides to lead to. */
  hasGuides: boolean;
  /** Where the pages are. */
  portalUrl: string;
  config: PortalConfig;
  /** Addresses of its style sheets. */
  styles: readonly string[];
  /** Addresses of the fonts that nearly all text has, by the language. */
  fonts: Readonly<Record<PublicLanguage, readonly string[]>>;
  /** CSS with the colours of the brand. */
  colours: string;
  /** For previews of links; undefined: none. */
  picture?: { url: string; width: number; height: number; alt: string };
  /** Of its tab. */
  icon: { href: string; type: string };
}

/** The address of a page in a language: English has none in its path. An operation may be called in any script. */
export const publicAddress = (path: string, language: PublicLanguage): string =>
  encodeURI(language === 'en' ? path : `/${language}${path}`);

/** Ids as in the addresses of pages. */
export interface DocumentOutline {
  /** Of the operations, webhooks too. */
  operations: string[];
  /** Of the tags, where the operations are too many for one page. */
  tags: string[];
}

/** The module that the build writes. */
export interface PublicRenderer {
  /** Loads the texts of all languages. */
  ready: () => Promise<void>;
  /** What of an OpenAPI document has pages; nothing when it can't be read. */
  outlineOf: (document: object) => DocumentOutline;
  /** What a page says of itself. */
  describe: (page: PublicPage) => { title: string; description: string; picture: PictureWords };
  /** The whole document. */
  render: (page: PublicPage) => string;
}
