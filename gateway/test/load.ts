import { type Dispatcher, request } from 'undici';
import { testSeed } from '#shared/platform/test-seed.ts';

/** Load from a random seed, which is printed: the same seed sends the same calls to the same gateways. */

/** The load on a number of gateways that share a quota. */
export interface Shape {
  nodes: number;
  /** The shared quota. */
  units: number;
  /** Sequential calls per request. */
  cost: number;
  concurrency: number;
  requests: number;
}

/** The shapes with which another API key service publishes its accuracy, plus two with nine gateways. */
export const shapes: readonly Shape[] = [
  { nodes: 1, units: 100, cost: 1, concurrency: 50, requests: 200 },
  { nodes: 3, units: 100, cost: 1, concurrency: 100, requests: 300 },
  { nodes: 5, units: 500, cost: 10, concurrency: 20, requests: 100 },
  { nodes: 3, units: 1, cost: 1, concurrency: 1000, requests: 1000 },
  { nodes: 9, units: 450, cost: 1, concurrency: 180, requests: 900 },
  // As many calls as units: a unit that stays unused anywhere is one too few.
  { nodes: 9, units: 450, cost: 1, concurrency: 180, requests: 450 },
];

/** Prints a line during long tests. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The seed of random tests; printed, so that the run can be repeated. */
export function newSeed(): number {
  print(`SEED=${testSeed}`);
  return testSeed;
}

/** A generator of numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `even`, or `skewed`: nine of ten requests to the first gateway. */
export type Spread = 'even' | 'skewed';

export function pickGateway(urls: readonly string[], spread: Spread, random: () => number): string {
  const index = spread === 'skewed' && random() < 0.9 ? 0 : Math.floor(random() * urls.length);
  return urls[index] ?? '';
}

/** Sends the requests of a shape and returns the number of responses with each status. */
export async function playShape(
  shape: Shape,
  spread: Spread,
  urls: readonly string[],
  key: string,
  agent: Dispatcher,
  random: () => number,
): Promise<Record<number, number>> {
  const targets = Array.from({ length: shape.requests }, () => pickGateway(urls, spread, random));
  const tally: Record<number, number> = {};
  const worker = async (): Promise<void> => {
    for (let url = targets.pop(); url !== undefined; url = targets.pop()) {
      for (let call = 0; call < shape.cost; call += 1) {
        const status = await callOnce(url, key, agent);
        tally[status] = (tally[status] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: shape.concurrency }, worker));
  return tally;
}

/** Makes one call, reads the whole response, and returns its status. */
export async function callOnce(url: string, key: string, agent: Dispatcher): Promise<number> {
  const response = await request(`${url}/tax-lookup/v1/ok`, { headers: { 'x-api-key': key }, dispatcher: agent });
  await response.body.dump();
  return response.statusCode;
}

/** Starts callers that call without pause until `stop`. */
export function keepCalling(count: number, callOne: () => Promise<void>): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const caller = async (): Promise<void> => {
    while (!stopping.signal.aborted) await callOne();
  };
  const callers = Array.from({ length: count }, caller);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(callers);
    },
  };
}

/** Prints progress of long tests, about ten times. */
export function createProgress(name: string, total: number): (done: number, more?: string) => void {
  const started = performance.now();
  return (done, more = '') => {
    if (done % Math.max(1, Math.floor(total / 10)) !== 0 && done !== total) return;
    print(`${name}: ${done} of ${total} after ${Math.round((performance.now() - started) / 1000)} s${more}`);
  };
}
