import { createHash } from 'node:crypto';
import type { PictureWords, PublicPage } from '#shared/contract/public-pages.ts';
import type { PictureTexts } from '#shared/paper/render.ts';
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

/** As they are set: what is too long ends with an ellipsis. */
export function textsOn({ title, line }: PictureWords, frame: SiteSource['frame']): PictureTexts {
  return {
    title: shortened(title, 90),
    size: title.length > 40 ? 64 : 84,
    line: shortened(line, 52),
    name: shortened(frame.providerName, 44),
    nameAt: frame.pictureNameAt,
  };
}

/** Letters with their marks. */
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function shortened(text: string, most: number): string {
  const all = [...letters.segment(text.replaceAll(/[\p{Cc}]/gu, ' '))].map(({ segment }) => segment);
  return all.length > most ? `${all.slice(0, most - 1).join('')}…` : text;
}
