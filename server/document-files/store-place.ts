import { readBytes } from '#shared/platform/read-response.ts';
import { openBucket, type S3Account, StoreFault } from '#shared/platform/s3-bucket.ts';
import { type DocumentPlace, nameOf, NameTaken } from './document-place.ts';

/** A customer waits for it. */
const timeoutMs = 15_000;

/** Far more than a PDF of a document has. */
const maxBytes = 64 * 1024 * 1024;

/** A folder of a bucket in an S3-compatible store. Its key needs to read and write there, and not to delete. */
export function storePlace(account: S3Account): DocumentPlace {
  const { addressOf, ask } = openBucket(account);
  const askFor = (method: string, name: string, body?: Buffer): Promise<Response> =>
    ask(method, addressOf(name), body, AbortSignal.timeout(timeoutMs));
  const get = async (hash: string): Promise<Buffer | undefined> => {
    try {
      return await readBytes(await askFor('GET', nameOf(hash)), maxBytes);
    } catch (error) {
      if (error instanceof StoreFault && error.status === 404 && error.message.includes('NoSuchKey')) return undefined;
      throw error;
    }
  };
  // Without the right to list, Amazon says of a missing file that it is forbidden.
  const reach = async (): Promise<void> => void (await get('0'.repeat(64)));
  return {
    address: account.url,
    get,
    put: async (hash, pdf) => {
      const there = await get(hash);
      if (there?.equals(pdf)) return;
      if (there !== undefined) throw new NameTaken(account.url, hash);
      // Signed with its hash: the store refuses what was damaged on the way.
      await askFor('PUT', nameOf(hash), pdf);
      // The bytes in the database go next.
      const kept = await get(hash);
      if (!kept?.equals(pdf))
        throw new StoreFault(`The store at ${account.url} took ${nameOf(hash)}, and does not return it as it was.`);
    },
    reach,
    probe: async () => {
      await reach();
      await askFor('PUT', 'octroi-probe.txt', Buffer.from('Octroi can write here.\n'));
    },
  };
}
