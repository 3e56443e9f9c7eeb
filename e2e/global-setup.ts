import { sharedProductVariable, startProduct } from './product.ts';

/** Starts the product that all tests share; answers how to end it. */
export default async function setUp(): Promise<() => Promise<void>> {
  const product = await startProduct();
  process.env[sharedProductVariable] = JSON.stringify(product);
  return product.remove;
}
