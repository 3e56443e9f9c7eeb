import type { StoredKey } from './store.ts';

/** While this many statements run, further lookups wait and share the next one. */
const maxConcurrentStatements = 2;
const maxBatchSize = 500;

interface Lookup {
  keyHash: Buffer;
  resolve: (stored: StoredKey | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches key lookups. Anyone can send well-formed keys that don't exist, and each needs a lookup, since it may have been created a moment
 * ago. A lookup never joins a statement that was sent before it.
 */
export function batchLookups(
  findKeys: (keyHashes: readonly Buffer[]) => Promise<ReadonlyMap<string, StoredKey>>,
): (keyHash: Buffer) => Promise<StoredKey | undefined> {
  const queue: Lookup[] = [];
  let inFlight = 0;

  const send = async (): Promise<void> => {
    inFlight += 1;
    while (queue.length > 0) {
      const batch = queue.splice(0, maxBatchSize);
      try {
        const found = await findKeys(batch.map(({ keyHash }) => keyHash));
        for (const { keyHash, resolve } of batch) resolve(found.get(keyHash.toString('base64')));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    inFlight -= 1;
  };

  return (keyHash) =>
    new Promise((resolve, reject) => {
      queue.push({ keyHash, resolve, reject });
      if (inFlight < maxConcurrentStatements) void send();
    });
}
