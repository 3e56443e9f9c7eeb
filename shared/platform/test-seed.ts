/** Without SEED. */
const plainSeed = 1;
const seeds = 2 ** 31;

/**
 * The seed of every random test. Without SEED it is the same each time, so that only a change of the code makes `npm test` fail
 * (decision 053). SEED=random draws another one, as `npm run test:long` does, and a number repeats a printed run.
 */
export const testSeed = readSeed(process.env['SEED']);

function readSeed(wanted: string | undefined): number {
  if (wanted === undefined || wanted === '') return plainSeed;
  const seed = wanted === 'random' ? Math.floor(Math.random() * seeds) : Number(wanted);
  if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number or "random", not ${wanted}`);
  return seed;
}
