import { setup as makeTestFolder } from '#shared/database/test-folder.ts';
import { sharedProductVariable, startProduct } from './product.ts';
import { makeTestCatalog } from './test-catalog.ts';

/** Starts the product that all tests share, with one additional plan; returns how to stop it. */
export default async function setUp(): Promise<() => Promise<void>> {
  const removeTestFolder = await makeTestFolder();
  const catalog = makeTestCatalog();
  const product = await startProduct({ CATALOG_DIR: catalog });
  process.env[sharedProductVariable] = JSON.stringify(product);
  return async () => {
    await product.remove();
    await removeTestFolder();
  };
}
