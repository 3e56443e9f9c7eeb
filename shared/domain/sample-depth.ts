/** An example would be larger than a reader can use. */
export class SampleFault extends Error {}

/** Schemas that one example visits at most: some documents lead from each to dozens of others, which no depth alone bounds. */
const maxNodes = 3000;

interface Sample<Value> {
  value: Value;
  /** Was something left empty that the schema has? */
  isShortened: () => boolean;
}

/** An example of the first of these depths that is small enough; undefined when none is. Deeper objects are left empty. */
export function sampleWithin<Value>(
  depths: readonly number[],
  make: (options: { quiet: true; maxSampleDepth: object }) => Value,
): Sample<Value> | undefined {
  const attempt = (depth: number): { value: Value; nodes: number } | undefined => {
    const counted = countedDepth(depth);
    try {
      return { value: make({ quiet: true, maxSampleDepth: counted }), nodes: counted.nodes };
    } catch (error) {
      if (!(error instanceof SampleFault)) throw error;
      return undefined;
    }
  };
  for (const depth of depths) {
    const made = attempt(depth);
    // One that goes deeper has more only where this one was cut.
    if (made !== undefined) return { value: made.value, isShortened: () => attempt(depth + 1)?.nodes !== made.nodes };
  }
  return undefined;
}

/** The `maxSampleDepth` of openapi-sampler, which compares the depth of each schema with it, so that each can be counted here. */
function countedDepth(depth: number) {
  return {
    nodes: 0,
    valueOf() {
      this.nodes += 1;
      if (this.nodes > maxNodes) throw new SampleFault(`An example has more than ${maxNodes} parts`);
      return depth;
    },
  };
}
