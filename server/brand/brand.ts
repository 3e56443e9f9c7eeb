import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type MarkdownText, readMarkdownText } from '#catalog/markdown-text.ts';
import { type Translations, text, translationsIn, translationsOf } from '#catalog/catalog-texts.ts';
import { type SafeImage, UnfitImage, readSafeImage } from '#catalog/safe-image.ts';
import { cannotBeRead, issueFaults, readYamlFile } from '#catalog/yaml-file.ts';
import { type LegalPage, legalPages } from '#shared/contract/public-pages.ts';
import { readRegularFile } from '#shared/platform/read-regular-file.ts';
import { type AccentScale, accentScaleOf, isColor } from './accent-scale.ts';
import { shippedMark } from './shipped-mark.ts';

/** The provider's own look: logo, colour, texts and links, from the folder BRAND_DIR (decision 44). */

const image = (kinds: string, description: string) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_][A-Za-z0-9_.-]*\\.(?:${kinds})$`), description);
const anyImage = image('svg|png|webp', 'must be an SVG, PNG or WebP file in the same folder, such as logo.svg');
const textFile = /^[A-Za-z0-9_][A-Za-z0-9_-]*\.md$/;
const page = z.union(
  [z.string().regex(textFile), z.url({ protocol: /^https?$/ })],
  'must be an address such as https://example.com/terms, or a Markdown file in the same folder, such as terms.md',
);
const titled = z.strictObject({ title: text, text });

const brandSchema = z.strictObject({
  /** Beside PORTAL: a logo that has the name in it needs no second one. */
  showName: z.boolean().default(true),
  logo: z
    .strictObject({
      /** In the header and on the login page. */
      light: anyImage,
      /** In dark mode; the same if not given. */
      dark: anyImage.optional(),
      /** At the head of mails: mail programs don't show SVG. Without it the light one, if that is a PNG. */
      mail: image('png', 'must be a PNG file in the same folder, because mail programs show no other kind').optional(),
      /** At the head of invoices and other documents. */
      paper: image('svg|png', 'must be an SVG or PNG file in the same folder').optional(),
    })
    .optional(),
  favicon: image('svg|png', 'must be an SVG or PNG file in the same folder').optional(),
  accent: z.string().refine(isColor, "must be a colour such as '#0b57d0', in quotes").optional(),
  /** Texts of the login page. */
  login: z
    .strictObject({
      heading: text.optional(),
      lead: text.optional(),
      features: z.array(titled).min(1).max(4).optional(),
      /** At its foot, such as "24/7 support"; only what you keep. */
      claims: z.array(text).max(3).optional(),
      /** The product in its picture. */
      product: text.optional(),
    })
    .default({}),
  links: z
    .strictObject({
      terms: page.optional(),
      privacy: page.optional(),
      refunds: page.optional(),
      contact: z
        .union(
          [page, z.url({ protocol: /^mailto$/ })],
          'must be an address such as https://example.com/contact or mailto:hello@example.com, or a Markdown file in the same folder',
        )
        .optional(),
    })
    .default({}),
});

type LogoKind = 'light' | 'dark' | 'mail' | 'paper';

/** A brand that was read and checked. Whatever it does not have is as shipped. */
export interface Brand extends Pick<z.output<typeof brandSchema>, 'login'> {
  /** Addresses elsewhere. */
  links: Partial<Record<LegalPage, string>>;
  /** Those that are pages of the portal. */
  texts: Partial<Record<LegalPage, { en: MarkdownText; hi?: MarkdownText }>>;
  /** Undefined for the shipped brand, whose header says PORTAL alone. */
  showsName: boolean;
  logo: Partial<Record<LogoKind, SafeImage>>;
  favicon: SafeImage | undefined;
  accent: AccentScale | undefined;
  translations: Translations;
}

/** The brand has errors; the message lists each with file, line and remedy. */
export class BrandFaults extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The brand has errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** As shipped. */
const shippedBrand: Brand = {
  showsName: false,
  logo: { mail: shippedMark },
  favicon: undefined,
  accent: undefined,
  login: {},
  links: {},
  texts: {},
  translations: { hi: {} },
};

const maxTextBytes = 1024 * 1024;
const maxBytes: Record<LogoKind | 'favicon', number> = {
  light: 128 * 1024,
  dark: 128 * 1024,
  mail: 64 * 1024,
  paper: 64 * 1024,
  favicon: 32 * 1024,
};

const read = new Map<string, Brand>();

/** The brand of an installation: read once per process. Throws BrandFaults. */
export function brandOf({ brandDir }: { brandDir?: string | undefined }): Brand {
  if (brandDir === undefined) return shippedBrand;
  const brand = read.get(brandDir) ?? readBrand(brandDir);
  read.set(brandDir, brand);
  return brand;
}

/** Reads and checks `brand.yaml` and the images that it names. Throws BrandFaults. */
export function readBrand(folder: string): Brand {
  const name = 'brand.yaml';
  const path = join(folder, name);
  if (!existsSync(path))
    throw new BrandFaults([`${path}: there is no such file. Create it, or set BRAND_DIR to the folder that has it.`]);
  const faults: string[] = [];
  const yaml = readYamlFile(path, name, faults);
  const parsed = brandSchema.safeParse(yaml?.content ?? {});
  if (yaml === undefined) throw new BrandFaults(faults);
  if (!parsed.success) throw new BrandFaults(issueFaults(parsed.error, yaml));
  const { showName: showsName, accent, login } = parsed.data;
  const imageAt = (field: readonly string[], file: string | undefined, most: number): SafeImage | undefined => {
    if (file === undefined) return undefined;
    try {
      return readSafeImage(join(folder, file), most);
    } catch (error) {
      if (!(error instanceof UnfitImage)) throw error;
      faults.push(`${yaml.placeOf(field)}: ${field.join('.')}: ${error.message}`);
      return undefined;
    }
  };
  const logo: Brand['logo'] = {};
  for (const kind of ['light', 'dark', 'mail', 'paper'] as const) {
    const found = imageAt(['logo', kind], parsed.data.logo?.[kind], maxBytes[kind]);
    if (found !== undefined) logo[kind] = found;
  }
  const other = logo.light === undefined && accent === undefined ? shippedMark : logo.light;
  if (logo.mail === undefined && other?.type === 'image/png') logo.mail = other;
  const favicon = imageAt(['favicon'], parsed.data.favicon, maxBytes.favicon);
  const links: Brand['links'] = {};
  const texts: Brand['texts'] = {};
  for (const name of legalPages) {
    const link = parsed.data.links[name];
    if (link === undefined) continue;
    if (!textFile.test(link)) {
      links[name] = link;
      continue;
    }
    const english = readText(folder, link, faults);
    const translated = link.replace(/\.md$/, '.hi.md');
    const hindi = existsSync(join(folder, translated)) ? readText(folder, translated, faults) : undefined;
    if (english !== undefined) texts[name] = { en: english, ...(hindi !== undefined && { hi: hindi }) };
  }
  if (faults.length > 0) throw new BrandFaults(faults);
  return {
    showsName,
    logo,
    favicon,
    accent: accent === undefined ? undefined : accentScaleOf(accent),
    login,
    links,
    texts,
    translations: translationsOf(translationsIn(yaml.content)),
  };
}

/** A text of its own page. */
function readText(folder: string, file: string, faults: string[]): MarkdownText | undefined {
  let source: string;
  try {
    source = readRegularFile(join(folder, file), maxTextBytes).toString();
  } catch (error) {
    faults.push(`${file}: ${cannotBeRead(error)}`);
    return undefined;
  }
  return readMarkdownText(source, (line, message) => void faults.push(`${file}:${line}: ${message}`));
}
