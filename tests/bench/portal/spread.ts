type Spread = readonly [p50: number, p95: number];

/** The p50 and p95 of some durations. */
export function spread(taken: readonly number[]): Spread {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return [at(0.5), at(0.95)];
}

export const spreadText = ([p50, p95]: Spread): string => `${p50.toFixed(1)} (${p95.toFixed(1)}) ms`;
