import { brandOf } from '#server/brand/brand.ts';
import type { Portal } from '#server/portal.ts';
import type { MakesPages } from './makes-pages.ts';
import { PageCache } from './page-cache.ts';
import { drawPicture } from './picture.ts';

const maxCacheBytes = 16 * 1024 * 1024;

interface Drawn {
  png: Buffer;
  bytes: number;
}

/** The pictures of the public pages. Their addresses change with what is drawn, and only words of pages are drawn. */
export class Pictures {
  private readonly drawn = new PageCache<Drawn>(maxCacheBytes);
  private readonly portal: Pick<Portal, 'settings'>;
  private readonly maker: Pick<MakesPages, 'picture'>;

  constructor(portal: Pick<Portal, 'settings'>, maker: Pick<MakesPages, 'picture'>) {
    this.portal = portal;
    this.maker = maker;
  }

  /** The PNG of a hash; undefined when no page of the site has it. */
  async png(hash: string): Promise<Buffer | undefined> {
    const known = this.drawn.get(hash);
    if (known !== undefined) return known.png;
    const outlines = await this.maker.picture({ hash });
    if (outlines === undefined) return undefined;
    const { png } = await this.drawn.getOrMake(hash, async () => {
      const drawn = await drawPicture(outlines, brandOf(this.portal.settings));
      return { png: drawn, bytes: drawn.length };
    });
    return png;
  }
}
