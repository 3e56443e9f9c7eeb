import { z } from 'zod';

/** Texts of the catalogue: English, and other languages where the provider gives them. */

/** Languages besides English. */
const translatedLanguages = ['hi'] as const;
export type TranslatedLanguage = (typeof translatedLanguages)[number];

/** English texts of the catalogue, and the same in another language. */
export type Translations = Record<TranslatedLanguage, Record<string, string>>;

const words = z.string().trim().min(1);
const perLanguage = z.strictObject({ en: words, hi: words.optional() });

/**
 * A text of a product file: English, or `{ en, hi }`. It is read as its English, which stands on papers, in mails and in
 * stored terms; `translationsIn` finds the others.
 */
export const text = z.unknown().transform((given, context): string => {
  const isPerLanguage = typeof given === 'object' && given !== null;
  const read = isPerLanguage
    ? perLanguage.transform(({ en }) => en).safeParse(given)
    : words.safeParse(given, { reportInput: true });
  if (read.success) return read.data;
  for (const { message, path } of read.error.issues) context.addIssue({ code: 'custom', message, path: [...path] });
  return z.NEVER;
});

/** A text in another language, and where it stands in its file. */
export interface Translation {
  language: TranslatedLanguage;
  english: string;
  translated: string;
  path: PropertyKey[];
}

/** All texts of a product file that are given per language. */
export function translationsIn(value: unknown, path: readonly PropertyKey[] = []): Translation[] {
  if (typeof value !== 'object' || value === null) return [];
  const read = perLanguage.safeParse(value);
  if (read.success) {
    return translatedLanguages.flatMap((language) => {
      const translated = read.data[language];
      return translated === undefined ? [] : [{ language, english: read.data.en, translated, path: [...path] }];
    });
  }
  return Object.entries(value).flatMap(([name, each]) =>
    translationsIn(each, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** Translations by their English. */
export function translationsOf(found: readonly Omit<Translation, 'path'>[]): Translations {
  const translations: Translations = { hi: {} };
  for (const { language, english, translated } of found) translations[language][english] = translated;
  return translations;
}

/** Names of the portal itself that stand where the catalogue's do. */
const ownTexts: Translations = { hi: { 'Unknown API': 'अज्ञात API' } };
const merged = new WeakMap<object, Translations>();

/**
 * A text of the catalogue in a language, or its English. Plans that were sold keep their texts, which are translated as
 * long as the catalogue has them.
 */
export function inLanguage(
  { products }: { products: readonly { translations: Translations }[] },
  language: 'en' | TranslatedLanguage,
): (english: string) => string {
  if (language === 'en') return (english) => english;
  const known =
    merged.get(products) ??
    ({
      hi: Object.assign({}, ownTexts.hi, ...products.map(({ translations }) => translations.hi)),
    } satisfies Translations);
  merged.set(products, known);
  const texts = known[language];
  return (english) => (Object.hasOwn(texts, english) ? (texts[english] ?? english) : english);
}
