import type { PictureWords, PublicLanguage, PublicPage } from '#shared/contract/public-pages.ts';
import { brandOf } from '#server/brand/brand.ts';
import type { Portal } from '#server/portal.ts';
import { PageCache } from './page-cache.ts';
import { drawPicture, pictureHash, pictureHeight, pictureWidth } from './picture.ts';
import type { PublicSite } from './public-site.ts';
import type { Site } from './site.ts';

const maxCacheBytes = 16 * 1024 * 1024;

interface Drawn {
  png: Buffer;
  bytes: number;
}

/** The pictures of the public pages. Their addresses change with what is drawn, and only words of pages are drawn. */
export class Pictures {
  private readonly known = new WeakMap<Site, ReadonlyMap<string, PictureWords>>();
  private readonly drawn = new PageCache<Drawn>(maxCacheBytes);
  private readonly portal: Pick<Portal, 'settings'>;
  private readonly site: Pick<PublicSite, 'pageOf' | 'renderer'>;

  constructor(portal: Pick<Portal, 'settings'>, site: Pick<PublicSite, 'pageOf' | 'renderer'>) {
    this.portal = portal;
    this.site = site;
  }

  /** A page with the picture that previews show. */
  withPicture(site: Site, language: PublicLanguage, path: string): PublicPage {
    const { portalUrl, providerName } = this.portal.settings;
    const page = this.site.pageOf(site, language, path);
    const words = this.wordsOf(site, path);
    const url = `${portalUrl}/pictures/${this.hashOf(words)}.png`;
    const alt = `${words.title}, ${words.line} · ${providerName}`;
    return { ...page, picture: { url, width: pictureWidth, height: pictureHeight, alt } };
  }

  /** The PNG of a hash; undefined when no page of the site has it. */
  async png(site: Site, hash: string): Promise<Buffer | undefined> {
    const words = this.of(site).get(hash);
    if (words === undefined) return undefined;
    const { settings } = this.portal;
    const { png } = await this.drawn.getOrMake(hash, async () => {
      const drawn = await drawPicture(words, brandOf(settings), settings.providerName);
      return { png: drawn, bytes: drawn.length };
    });
    return png;
  }

  /** Of every page, read once for a site. */
  private of(site: Site): ReadonlyMap<string, PictureWords> {
    const before = this.known.get(site);
    if (before !== undefined) return before;
    const all = [...site.pages.keys()].map((path) => this.wordsOf(site, path));
    const words = new Map(all.map((each) => [this.hashOf(each), each]));
    this.known.set(site, words);
    return words;
  }

  /** In English for every language: resvg draws vowels of Devanagari over the next letter. */
  private wordsOf(site: Site, path: string): PictureWords {
    return this.site.renderer.describe(this.site.pageOf(site, 'en', path)).picture;
  }

  private hashOf(words: PictureWords): string {
    const { settings } = this.portal;
    return pictureHash(words, brandOf(settings), settings.providerName);
  }
}
