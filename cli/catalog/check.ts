import { adviceOf } from '#catalog/advice.ts';
import { type Catalog, CatalogFaults, type CatalogFiles, catalogOf } from '#catalog/catalog.ts';
import { readCatalogFiles } from '#catalog/catalog-files.ts';
import { callText } from '#catalog/refused-calls.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';

/** `octroi catalog check`: lists every fault, the calls that no customer may make, and what programs would miss. */
export function checkCatalog({ folder, json }: { folder: string; json?: boolean }): void {
  const { products, guides, files } = readSoundCatalog(folder, json);
  const plans = products.reduce((sum, product) => sum + product.plans.length, 0);
  const result = {
    faults: [],
    products: products.map(({ id, plans: { length }, refused }) => ({
      id,
      plans: length,
      refused: refused.map(callText),
    })),
    guides: guides.map(({ id }) => id),
    advice: adviceOf({ products, guides }, files),
  };
  printResult(json, result, [
    `No faults: ${products.length} products with ${plans} plans${guides.length === 0 ? '' : `, and ${guides.length} guides`}.`,
    ...result.products
      .filter(({ refused }) => refused.length > 0)
      .map(({ id, refused }) => `${id} refuses every customer: ${refused.join(', ')}`),
    ...result.advice.map(
      ({ product, missing, todo }) => `Advice${product === undefined ? '' : ` for ${product}`}: ${missing}: ${todo}.`,
    ),
  ]);
}

/** Reads a catalogue, or prints its faults and ends the command. */
export function readSoundCatalog(folder: string, json: boolean | undefined): Catalog & { files: CatalogFiles } {
  try {
    const files = readCatalogFiles(folder);
    return { ...catalogOf(files), files };
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    const { faults } = error;
    printResult(json, { faults }, faults);
    throw new CommandFailed(faults.length === 1 ? '1 fault.' : `${faults.length} faults.`, exitCodes.faults);
  }
}
