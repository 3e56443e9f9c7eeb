import { type Catalog, CatalogFaults } from './catalog.ts';

/** The place of a new product, after all others; a catalogue with faults has room for one more, too. */
export function nextPosition(read: () => Catalog, productFiles: number): number {
  try {
    return Math.max(0, ...read().products.map(({ position }) => position)) + 1;
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    return productFiles + 1;
  }
}
