import { renderAsync } from '@resvg/resvg-js';
import type { PictureWords } from '#shared/contract/public-pages.ts';
import { fontFolders } from '#shared/paper/fonts.ts';
import { accentOf } from '#server/brand/brand-page.ts';
import type { Brand } from '#server/brand/brand.ts';
import { pictureHeight, pictureWidth } from './picture-words.ts';
import { escapeXml } from './sitemap.ts';

/** Changes with the look below, so that previews are fetched again. */
const look = 1;
const left = 90;
const lineHeight = 1.2;
/** A letter takes about so much of its size; Noto Sans in weight 600. */
const letterWidth = 0.58;
const maxLines = 3;

/** Everything on a picture beside its words. */
export function pictureLook(brand: Brand, providerName: string): string {
  const { light } = brand.logo;
  return JSON.stringify([look, accentOf(brand), light?.hash ?? '', providerName, brand.showsName]);
}

/** A PNG of the brand's mark, a title and a line. Drawn beside the portal's own thread. */
export async function drawPicture(words: PictureWords, brand: Brand, providerName: string): Promise<Buffer> {
  const picture = await renderAsync(pictureOf(words, brand, providerName), {
    font: { loadSystemFonts: false, fontDirs: [...fontFolders], defaultFontFamily: 'Noto Sans' },
    fitTo: { mode: 'original' },
  });
  return picture.asPng();
}

function pictureOf({ title, line }: PictureWords, brand: Brand, providerName: string): string {
  const accent = accentOf(brand);
  const size = title.length > 40 ? 64 : 84;
  const lines = wrapped(title, Math.floor((pictureWidth - 2 * left) / (size * letterWidth)));
  const top = 330 - ((lines.length - 1) * size * lineHeight) / 2;
  const spans = lines.map(
    (text, index) =>
      `<text x="${left}" y="${top + index * size * lineHeight}" font-size="${size}">${escaped(text)}</text>`,
  );
  const last = top + (lines.length - 1) * size * lineHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureWidth}" height="${pictureHeight}">
<rect width="100%" height="100%" fill="#ffffff"/>
<rect width="24" height="100%" fill="${accent}"/>
${head(brand, accent, providerName)}
<g font-family="Noto Sans" font-weight="600" fill="#171e1a">${spans.join('')}</g>
<text x="${left}" y="${last + 84}" font-family="Noto Sans" font-size="38" fill="#494f4a">${escaped(shortened(line, 52))}</text>
</svg>`;
}

/** The mark, or the brand's logo, and the provider's name. */
function head({ logo: { light }, showsName }: Brand, accent: string, providerName: string): string {
  const name = (x: number) =>
    `<text x="${x}" y="128" font-family="Noto Sans" font-weight="600" font-size="36" fill="#171e1a">${escaped(shortened(providerName, 44))}</text>`;
  if (light === undefined)
    return `<g transform="translate(${left} 84) scale(2.4)"><rect width="26" height="26" rx="7" fill="${accent}"/><path d="M9.6 7H7.2v12h2.4M16.4 7h2.4v12h-2.4M11 11.2h4M11 14.8h4" fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/></g>${name(left + 86)}`;
  const height = 64;
  const width = Math.min(700, Math.round((light.width * height) / light.height));
  const image = `<image x="${left}" y="84" width="${width}" height="${height}" href="data:${light.type};base64,${light.content.toString('base64')}"/>`;
  return showsName ? image + name(left + width + 24) : image;
}

/** In lines of at most so many letters; what has no place ends with an ellipsis. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(shortened(word, most));
  }
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), shortened(`${lines[maxLines - 1]} …`, most)];
}

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Also without characters that XML has none of. */
const escaped = (text: string): string => escapeXml(text.replaceAll(/[^\P{Cc}\t]/gu, ' '));
