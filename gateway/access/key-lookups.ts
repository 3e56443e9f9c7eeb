import type { StoredKey } from './store.ts';

/** Statements that may be under way at a time; look-ups that come meanwhile wait and go together. */
const mostStatements = 2;
const mostInOne = 500;

interface LookUp {
  keyHash: Buffer;
  resolve: (stored: StoredKey | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks keys up, many in one statement when many come together: anybody can make well-formed keys that do not exist, and each must be asked
 * for once, since it may have been made a moment ago. A statement is always sent after the look-ups in it were asked for.
 */
export function batchLookups(
  findKeys: (keyHashes: readonly Buffer[]) => Promise<ReadonlyMap<string, StoredKey>>,
): (keyHash: Buffer) => Promise<StoredKey | undefined> {
  const waiting: LookUp[] = [];
  let underWay = 0;

  const send = async (): Promise<void> => {
    underWay += 1;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostInOne);
      try {
        const found = await findKeys(batch.map(({ keyHash }) => keyHash));
        for (const { keyHash, resolve } of batch) resolve(found.get(keyHash.toString('base64')));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    underWay -= 1;
  };

  return (keyHash) =>
    new Promise((resolve, reject) => {
      waiting.push({ keyHash, resolve, reject });
      if (underWay < mostStatements) void send();
    });
}
