/** An example would be larger than a reader can use. */
export class SampleFault extends Error {}

/** Schemas that one example visits at most: some documents lead from each to dozens of others, which no depth alone bounds. */
const maxNodes = 3000;

/** An example of the first of these depths that is small enough; undefined when none is. Deeper objects are left empty. */
export function sampleWithin<Value>(
  depths: readonly number[],
  make: (options: { quiet: true; maxSampleDepth: object }) => Value,
): Value | undefined {
  for (const depth of depths) {
    try {
      return make({ quiet: true, maxSampleDepth: countedDepth(depth) });
    } catch (error) {
      if (!(error instanceof SampleFault)) throw error;
    }
  }
  return undefined;
}

/** The `maxSampleDepth` of openapi-sampler, which compares the depth of each schema with it, so that each can be counted here. */
function countedDepth(depth: number): object {
  let left = maxNodes;
  return {
    valueOf() {
      left -= 1;
      if (left < 0) throw new SampleFault(`An example has more than ${maxNodes} parts`);
      return depth;
    },
  };
}
