import { respondByPath, testDescription } from './product.ts';

/** The test product, inside the gateway's process. */
export async function mount() {
  return {
    handle: respondByPath,
    read: async () => ({ status: 200, body: Buffer.from(JSON.stringify(testDescription)) }),
    close: async () => {},
  };
}
