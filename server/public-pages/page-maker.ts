import { setImmediate as breathe } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type DocumentOutline,
  type PageHit,
  type PictureWords,
  type PublicContent,
  type PublicLanguage,
  type PublicPage,
  type PublicRenderer,
  publicLanguages,
  type StatusNow,
} from '#shared/contract/public-pages.ts';
import { outlinesOf } from '#shared/paper/render.ts';
import { type MadePage, madePage, type MakesPages, type SearchTask } from './makes-pages.ts';
import { markdownOf } from './markdown.ts';
import { llmsFullOf, llmsOf } from './program-files.ts';
import { pictureHash, pictureOn, textsOn } from './picture-words.ts';
import { type Contents, contentsOf, outlineName } from './site.ts';
import { guidesPath, type SiteSource } from './site-source.ts';
import { type SearchIndex, indexOf } from './search-index.ts';
import { pagesToFind } from './search.ts';
import { sitemapOf } from './sitemap.ts';

interface OpenSite {
  source: SiteSource;
  contents: Contents;
  status: StatusNow;
  indexes: Map<PublicLanguage, Promise<SearchIndex>>;
  pictures: Promise<Map<string, PictureWords>> | undefined;
}

interface ReadDocument {
  bytes: Uint8Array;
  document: object | undefined;
}

/** Makes the public pages of one site. A large OpenAPI document takes seconds, so that the portal has a process for it (page-worker.ts). */
export class PageMaker implements MakesPages {
  private readonly renderer: PublicRenderer;
  private readonly onPage: (path: string) => void;
  /** By product: a document that is the same is not read again. */
  private documents = new Map<string, ReadDocument>();
  private site: OpenSite | undefined;
  private opening: Promise<unknown> = Promise.resolve();

  /** `onPage` hears of each page before it is made. */
  constructor(renderer: PublicRenderer, onPage: (path: string) => void = () => undefined) {
    this.renderer = renderer;
    this.onPage = onPage;
  }

  /** What is asked for meanwhile is of the site that is being opened. */
  open(source: SiteSource): Promise<string[]> {
    const opening = this.opening.then(() => this.openNext(source));
    this.opening = opening.catch(() => undefined);
    return opening;
  }

  private async openNext(source: SiteSource): Promise<string[]> {
    const read: [string, ReadDocument][] = [];
    for (const [id, bytes] of source.documents) {
      const known = this.documents.get(id);
      const isSame = known !== undefined && Buffer.compare(known.bytes, bytes) === 0;
      if (!isSame) this.onPage(outlineName(id));
      read.push([id, isSame ? known : { bytes, document: documentIn(bytes) }]);
      await breathe();
    }
    const isOfSameDocuments =
      read.length === this.documents.size && read.every(([id, each]) => this.documents.get(id) === each);
    this.documents = new Map(read);
    // A new day, or another version of the catalogue, need not change a page: what was made of them, such as the search index, stays.
    if (isOfSameDocuments && this.site !== undefined && hasSamePages(this.site.source, source)) {
      this.site.status = source.status;
      return [...this.site.contents.keys()];
    }
    const documents = read.flatMap(([id, { document }]) => (document === undefined ? [] : [[id, document] as const]));
    const outlineOf = (document: object, productId: string): DocumentOutline => {
      this.onPage(outlineName(productId));
      return this.renderer.outlineOf(document);
    };
    const contents = await contentsOf(source, new Map(documents), outlineOf, () => site.status);
    const site: OpenSite = { source, contents, status: source.status, indexes: new Map(), pictures: undefined };
    this.site = site;
    return [...contents.keys()];
  }

  async page({ language, path, form, status }: Parameters<MakesPages['page']>[0]): Promise<MadePage> {
    const site = await this.opened();
    site.status = status ?? site.status;
    const isPage = site.contents.has(path);
    const page = this.pageOf(site, language, path);
    const html = this.renderer.render(isPage ? this.withPicture(site, page) : page);
    const text = form === 'html' ? html : markdownOf(html, page.portalUrl);
    return madePage(text, page.content.kind === 'unshown' ? 503 : isPage ? 200 : 404);
  }

  async file({ name }: { name: string }): Promise<MadePage> {
    const site = await this.opened();
    const { source, contents } = site;
    const { portalUrl, providerName } = source.frame;
    if (name === 'sitemap') return madePage(sitemapOf(contents.keys(), portalUrl));
    const describe = (path: string) => this.describe(site, 'en', path);
    if (name === 'llms') return madePage(await llmsOf(contents, providerName, portalUrl, describe));
    return madePage(await llmsFullOf(contents, portalUrl, (path) => this.markdown(site, 'en', path, portalUrl)));
  }

  async find({ query, language, most }: SearchTask): Promise<PageHit[]> {
    const site = await this.opened();
    const describe = (path: string, of: PublicLanguage) => this.describe(site, of, path);
    const markdown = (path: string): string => this.markdown(site, language, path, '');
    const index = site.indexes.get(language) ?? indexOf(pagesToFind(site.contents, language, { describe, markdown }));
    site.indexes.set(language, index);
    index.catch(() => site.indexes.delete(language));
    return (await index).find(query, most);
  }

  async search({ query, language }: SearchTask): Promise<string> {
    const hits = await this.find({ query, language });
    return this.renderer.render(this.pageOf(await this.opened(), language, '/search', { kind: 'search', query, hits }));
  }

  async picture({ hash }: { hash: string }): Promise<string | undefined> {
    const site = await this.opened();
    const pictures = (site.pictures ??= this.picturesOf(site));
    pictures.catch(() => (site.pictures = undefined));
    const words = (await pictures).get(hash);
    return words === undefined ? undefined : outlinesOf(textsOn(words, site.source.frame));
  }

  private async picturesOf(site: OpenSite): Promise<Map<string, PictureWords>> {
    const pictures = new Map<string, PictureWords>();
    for (const path of site.contents.keys())
      for (const language of publicLanguages) {
        const words = this.describe(site, language, path).picture;
        pictures.set(pictureHash(words, site.source.frame.pictureLook), words);
        await breathe();
      }
    return pictures;
  }

  private describe(site: OpenSite, language: PublicLanguage, path: string): ReturnType<PublicRenderer['describe']> {
    return this.renderer.describe(this.pageOf(site, language, path));
  }

  private markdown(site: OpenSite, language: PublicLanguage, path: string, portalUrl: string): string {
    return markdownOf(this.renderer.render(this.pageOf(site, language, path)), portalUrl);
  }

  private withPicture(site: OpenSite, page: PublicPage): PublicPage {
    return { ...page, picture: pictureOn(this.renderer.describe(page).picture, site.source.frame) };
  }

  private pageOf(site: OpenSite, language: PublicLanguage, path: string, content?: PublicContent): PublicPage {
    const { contents, source } = site;
    const { portalUrl, config, styles, fonts, colours, icon } = source.frame;
    if (content === undefined) this.onPage(path);
    const own = (): PublicContent =>
      isUnshown(path, source.unshown ?? [])
        ? { kind: 'unshown' }
        : (contents.get(path)?.(language) ?? { kind: 'missing' });
    return {
      content: content ?? own(),
      language,
      path: content === undefined && !contents.has(path) ? '/' : path,
      hasGuides: contents.has(guidesPath),
      portalUrl,
      config,
      styles,
      fonts,
      colours,
      icon,
    };
  }

  private async opened(): Promise<OpenSite> {
    await this.opening;
    if (this.site === undefined) throw new Error('No site was opened');
    return this.site;
  }
}

/** More of one API are not tried. */
const maxTried = 3;

/** Did it, or so many other operations of its API, end what made them? */
function isUnshown(path: string, unshown: readonly string[]): boolean {
  const [, reference] = /^(\/apis\/[^/]+\/reference\/)./.exec(path) ?? [];
  return (
    unshown.includes(path) ||
    (reference !== undefined && unshown.filter((each) => each.startsWith(reference)).length >= maxTried)
  );
}

/** Whether two sources, but for their documents, make the same pages. */
function hasSamePages(
  { documents: _oldDocuments, status: _oldStatus, ...old }: SiteSource,
  { documents: _documents, status: _status, ...source }: SiteSource,
): boolean {
  return isDeepStrictEqual(old, source);
}

/** Undefined when it is none: the gateway gives what it could read. */
function documentIn(bytes: Uint8Array): object | undefined {
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof document === 'object' && document !== null ? document : undefined;
  } catch {
    return undefined;
  }
}
