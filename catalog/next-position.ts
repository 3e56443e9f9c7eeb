import { type Catalog, CatalogFaults } from './catalog.ts';

/** The products of a catalogue; undefined if it has faults. */
export function productsIfSound(read: () => Catalog): Catalog['products'] | undefined {
  try {
    return read().products;
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    return undefined;
  }
}

/** The place of a new product, after all others; a catalogue with faults has room for one more, too. */
export const nextPosition = (products: Catalog['products'] | undefined, productFiles: number): number =>
  (products === undefined ? productFiles : Math.max(0, ...products.map(({ position }) => position))) + 1;
