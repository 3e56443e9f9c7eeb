import { createHash } from 'node:crypto';
import type { PictureWords, PublicPage } from '#shared/contract/public-pages.ts';
import type { SiteSource } from './site-source.ts';

/** What previews of links show (Open Graph). */
export const pictureWidth = 1200;
export const pictureHeight = 630;

/** The same words and look have the same hash. */
export function pictureHash({ title, line }: PictureWords, look: string): string {
  return createHash('sha256')
    .update(JSON.stringify([title, line, look]))
    .digest('base64url')
    .slice(0, 22);
}

/** The picture that previews of a page show. */
export function pictureOn(words: PictureWords, frame: SiteSource['frame']): NonNullable<PublicPage['picture']> {
  const { portalUrl, providerName, pictureLook } = frame;
  const url = `${portalUrl}/pictures/${pictureHash(words, pictureLook)}.png`;
  return {
    url,
    width: pictureWidth,
    height: pictureHeight,
    alt: `${words.title}, ${words.line} · ${providerName}`,
  };
}
