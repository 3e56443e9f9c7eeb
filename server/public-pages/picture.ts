import { renderAsync } from '@resvg/resvg-js';
import { accentOf } from '#server/brand/brand-page.ts';
import type { Brand } from '#server/brand/brand.ts';
import { pictureHeight, pictureWidth } from './picture-words.ts';

/** Changes with the look below, so that previews are fetched again. */
const look = 2;
const left = 90;
const logoHeight = 64;

/** Everything on a picture beside its words. */
export function pictureLook(brand: Brand, providerName: string): string {
  const { light } = brand.logo;
  return JSON.stringify([look, accentOf(brand), light?.hash ?? '', providerName, brand.showsName]);
}

/** Where the provider's name begins, beside the mark or the logo. */
export function pictureNameAt({ logo: { light }, showsName }: Brand): number | null {
  if (light === undefined) return left + 86;
  return showsName ? left + widthOf(light) + 24 : null;
}

const widthOf = ({ width, height }: { width: number; height: number }): number =>
  Math.min(700, Math.round((width * logoHeight) / height));

/** A PNG of the brand's mark or logo and the words, whose outlines are given. Drawn beside the portal's own thread. */
export async function drawPicture(outlines: string, brand: Brand): Promise<Buffer> {
  const picture = await renderAsync(pictureOf(outlines, brand), { font: { loadSystemFonts: false } });
  return picture.asPng();
}

function pictureOf(outlines: string, brand: Brand): string {
  const accent = accentOf(brand);
  const words = Buffer.from(outlines).toString('base64');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureWidth}" height="${pictureHeight}">
<rect width="100%" height="100%" fill="#ffffff"/>
<rect width="24" height="100%" fill="${accent}"/>
${markOf(brand, accent)}
<image width="${pictureWidth}" height="${pictureHeight}" href="data:image/svg+xml;base64,${words}"/>
</svg>`;
}

function markOf({ logo: { light } }: Brand, accent: string): string {
  if (light === undefined)
    return `<g transform="translate(${left} 84) scale(2.4)"><rect width="26" height="26" rx="7" fill="${accent}"/><path d="M9.6 7H7.2v12h2.4M16.4 7h2.4v12h-2.4M11 11.2h4M11 14.8h4" fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/></g>`;
  return `<image x="${left}" y="84" width="${widthOf(light)}" height="${logoHeight}" href="data:${light.type};base64,${light.content.toString('base64')}"/>`;
}
