import type { Store } from '#products/store/store.ts';

/** Rows per statement: a registration can have half a megabyte, and a statement may take five seconds. */
const batchSize = 500;

/**
 * Runs a statement that deletes at most `$2` rows from before `$1` until it finds none, each time in a transaction of
 * its own. Returns how many rows were deleted.
 */
export async function deleteBatches(
  store: Store,
  statement: string,
  before: Date,
  stopping: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (let last = batchSize; last === batchSize && !stopping.aborted; deleted += last) {
    const { rowCount } = await store.transaction((client) => client.query(statement, [before, batchSize]));
    last = rowCount ?? 0;
  }
  return deleted;
}
