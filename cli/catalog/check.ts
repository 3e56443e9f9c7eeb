import { type Catalog, CatalogFaults, readCatalog } from '#catalog/catalog.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';

/** `octroi catalog check`: lists every fault. */
export function checkCatalog({ folder, json }: { folder: string; json?: boolean }): void {
  const { products } = readSoundCatalog(folder, json);
  const plans = products.reduce((sum, product) => sum + product.plans.length, 0);
  const result = { faults: [], products: products.map((product) => ({ id: product.id, plans: product.plans.length })) };
  printResult(json, result, [`No faults: ${products.length} products with ${plans} plans.`]);
}

/** Reads a catalogue, or prints its faults and ends the command. */
export function readSoundCatalog(folder: string, json: boolean | undefined): Catalog {
  try {
    return readCatalog(folder);
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    const { faults } = error;
    printResult(json, { faults }, faults);
    throw new CommandFailed(faults.length === 1 ? '1 fault.' : `${faults.length} faults.`, exitCodes.faults);
  }
}
