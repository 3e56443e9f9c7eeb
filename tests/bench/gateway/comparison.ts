import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Exactness, measureExactness } from './exactness.ts';
import { type Load, pace, saturate } from './load.ts';
import { markdownTable, median, shown } from './numbers.ts';
import type { Peer, Place, Running } from './peer.ts';
import { freeze, memory, processorTime, thaw } from './processes.ts';

export interface ComparisonPlan {
  peers: readonly Peer[];
  rounds: number;
  seconds: number;
  /** What every peer gets, except its port and its folder. */
  place: Omit<Place, 'port' | 'folder'>;
  folder: string;
  firstPort: number;
  /** The peers that ratios refer to, by name. */
  yardsticks: readonly string[];
  say: (line: string) => void;
}

interface Contender {
  peer: Peer;
  place: Place;
  running: Running;
  perSecond: number[];
  p50Ms: number[];
  p99Ms: number[];
  /** Processor time per call, in microseconds, per round. */
  microseconds: number[];
  unloadedMs: number[];
  halfLoadMs: number[];
  /** After the load of each round. */
  megabytes: number[];
  faults: number;
  exactness?: Exactness | undefined;
}

const connections = 50;
/** Warm-up loads with pauses between them, like those of the rounds; until then Node recompiles its optimised code. */
const warmBursts = 8;
const warmSeconds = 4;
/**
 * Each measured load follows an unmeasured one, for every peer: the cost of the first calls after a pause is a separate
 * question.
 */
const leadInSeconds = 1;

/** Measures every peer in turn, for the given number of rounds, and returns two tables. */
export async function compare(plan: ComparisonPlan): Promise<string> {
  const contenders: Contender[] = [];
  const missing: string[] = [];
  try {
    for (const peer of plan.peers) {
      const port = plan.firstPort + contenders.length + missing.length;
      const folder = join(plan.folder, String(port));
      mkdirSync(folder, { recursive: true });
      const place = { ...plan.place, port, folder };
      try {
        contenders.push(enter(peer, place, await peer.start(place)));
        plan.say(`${peer.name} runs`);
      } catch (error) {
        missing.push(`${peer.name} does not run here: ${error instanceof Error ? error.message : String(error)}`);
        plan.say(missing.at(-1) ?? '');
      }
    }
    for (let burst = 0; burst < warmBursts; burst += 1) {
      for (const each of contenders) await saturate({ ...loadOf(each, plan), seconds: warmSeconds });
    }
    plan.say('warm-up finished');
    for (const each of contenders) freeze(each.running.pids());
    for (let round = 1; round <= plan.rounds; round += 1) {
      for (const each of contenders) await alone(each, () => measureOnce(each, plan));
      plan.say(`round ${round} of ${plan.rounds} finished`);
    }
    const upstreamMs = await measureLatency(contenders, plan);
    for (const each of contenders) thaw(each.running.pids());
    for (const each of contenders) {
      each.exactness = await measureExactness(each.peer, each.place, each.running).catch((error: unknown) => {
        missing.push(`${each.peer.name} did not restart after its kill -9: ${String(error)}`);
        return undefined;
      });
      plan.say(`${each.peer.name}: ${JSON.stringify(each.exactness ?? 'no quota')}`);
    }
    return [capacityTable(contenders, plan), latencyTable(contenders, upstreamMs), ...missing].join('\n\n');
  } finally {
    for (const { running, peer } of contenders) {
      thaw(running.pids());
      await running.stop().catch((error: unknown) => plan.say(`${peer.name} did not stop: ${String(error)}`));
    }
  }
}

function enter(peer: Peer, place: Place, running: Running): Contender {
  const nothing = { perSecond: [], p50Ms: [], p99Ms: [], microseconds: [], unloadedMs: [], halfLoadMs: [] };
  return { peer, place, running, ...structuredClone(nothing), megabytes: [], faults: 0 };
}

/** The load on a peer, as planned. */
function loadOf({ place }: Contender, { seconds, folder }: ComparisonPlan): Load {
  return { port: place.port, keys: place.openKeys, connections, seconds, folder };
}

/** Measures one peer while the others, who share its core, are stopped. */
async function alone(each: Contender, measure: () => Promise<void>): Promise<void> {
  thaw(each.running.pids());
  await measure();
  freeze(each.running.pids());
}

async function measureOnce(each: Contender, plan: ComparisonPlan): Promise<void> {
  await saturate({ ...loadOf(each, plan), seconds: leadInSeconds });
  const before = processorTime(each.running.pids());
  const load = await saturate(loadOf(each, plan));
  const microseconds = (processorTime(each.running.pids()) - before) / load.calls;
  each.perSecond.push(load.perSecond);
  each.p50Ms.push(load.p50Ms);
  each.p99Ms.push(load.p99Ms);
  each.microseconds.push(microseconds);
  const megabytes = memory(each.running.pids());
  each.megabytes.push(megabytes);
  each.faults += load.faults;
  const numbers = [shown(load.perSecond, ' calls/s'), shown(microseconds, ' µs'), shown(megabytes, ' MB')];
  plan.say(`  ${each.peer.name}: ${numbers.join(', ')}, ${load.faults} errors`);
}

/** One caller alone, and half of a peer's peak; beside each the API behind it, called directly at the same pace. */
async function measureLatency(contenders: Contender[], plan: ComparisonPlan): Promise<Map<Contender, number>> {
  const upstreamMs = new Map(contenders.map((each): [Contender, number[]] => [each, []]));
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const each of contenders) {
      await alone(each, async () => {
        const load = loadOf(each, plan);
        const half = median(each.perSecond) / 2;
        await pace({ ...load, seconds: leadInSeconds }, half);
        each.unloadedMs.push((await saturate({ ...load, connections: 1, seconds: Math.min(2, plan.seconds) })).p50Ms);
        each.halfLoadMs.push((await pace(load, half)).p99Ms);
        upstreamMs.get(each)?.push((await pace({ ...load, port: plan.place.productPort }, half)).p99Ms);
      });
    }
  }
  plan.say('latencies measured');
  return new Map([...upstreamMs].map(([each, values]) => [each, median(values)]));
}

function capacityTable(contenders: Contender[], { yardsticks, place }: ComparisonPlan): string {
  const sticks = yardsticks.flatMap((name) => contenders.filter(({ peer }) => peer.name === name));
  const rows = contenders.map((each) => [
    each.peer.name,
    each.peer.does,
    shown(median(each.microseconds)),
    ...sticks.map((stick) => shown(capacityRatio(stick, each))),
    shown(median(each.perSecond)),
    `${shown(median(each.p50Ms))} / ${shown(median(each.p99Ms))}`,
    shown(median(each.megabytes)),
    ...exactnessCells(each.exactness, place.quota),
    String(each.faults),
  ]);
  return markdownTable(
    [
      'Gateway',
      'Checks and counts',
      'µs per call',
      ...sticks.map(({ peer }) => `Capacity, ${peer.name} = 1`),
      'Calls/s',
      'p50 / p99, ms',
      'MB',
      `Of ${place.quota}, admitted`,
      'With a kill -9',
      'Errors',
    ],
    rows,
  );
}

/**
 * How many calls a peer makes in the processor time in which the yardstick makes one; the median of the rounds, pair by
 * pair.
 */
function capacityRatio(stick: Contender, each: Contender): number {
  return median(each.microseconds.map((own, round) => (stick.microseconds[round] ?? Number.NaN) / own));
}

function exactnessCells(exactness: Exactness | undefined, quota: number): [string, string] {
  if (exactness === undefined) return ['no quota', '–'];
  const verdict = (count: number): string => (count === quota ? `${count}, exact` : `**${count}**`);
  return [verdict(exactness.underLoad), verdict(exactness.afterKill)];
}

function latencyTable(contenders: Contender[], upstreamMs: Map<Contender, number>): string {
  const rows = contenders.map((each) => {
    const [half, own] = [median(each.halfLoadMs), upstreamMs.get(each) ?? Number.NaN];
    return [
      each.peer.name,
      shown(median(each.unloadedMs)),
      shown(median(each.perSecond) / 2),
      shown(half),
      shown(own),
      shown(half - own),
    ];
  });
  const head = ['Gateway', 'One caller, p50 ms', 'Half load, calls/s', 'p99 ms', 'API alone, p99 ms', 'Added, ms'];
  return markdownTable(head, rows);
}
