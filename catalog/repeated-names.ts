import type { Translation } from './catalog-texts.ts';

/** What a product is called, and where a field of it stands in its file. */
interface ReadNames {
  product: { id: string; aliases: readonly string[]; gatewayPath: string };
  texts: readonly Translation[];
  placeOf: (field: readonly PropertyKey[]) => string;
}

/** Ids and aliases share one space of names, and no two products share a path of the gateway. */
export function repeatedNames(products: readonly ReadNames[]): string[] {
  const names = new Map<string, string>();
  const paths = new Map<string, string>();
  const faults: string[] = [];
  const take = (taken: Map<string, string>, name: string, place: string, what: string): void => {
    const other = taken.get(name);
    if (other === undefined) taken.set(name, place);
    else faults.push(`${place}: the ${what} "${name}" is already used at ${other}. Choose another one.`);
  };
  for (const { product, placeOf } of products) {
    take(names, product.id, placeOf(['id']), 'name');
    product.aliases.forEach((alias, index) => take(names, alias, placeOf(['aliases', index]), 'name'));
    take(paths, product.gatewayPath, placeOf(['gatewayPath']), 'path');
  }
  return faults;
}

/** One English text has one translation: sold plans keep only their English, so that a product can't have its own. */
export function repeatedTranslations(products: readonly ReadNames[]): string[] {
  const known = new Map<string, { translated: string; place: string }>();
  return products.flatMap(({ texts, placeOf }) =>
    texts.flatMap(({ language, english, translated, path }) => {
      const place = placeOf(path);
      const other = known.get(`${language} ${english}`);
      if (other === undefined) known.set(`${language} ${english}`, { translated, place });
      if (other === undefined || other.translated === translated) return [];
      return [`${place}: "${english}" is translated in another way at ${other.place}. Use one translation for both.`];
    }),
  );
}
