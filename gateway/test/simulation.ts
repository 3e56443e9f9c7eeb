import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProgress, newSeed, print, seededRandom } from './load.ts';
import {
  join,
  createKey,
  newRepeatable,
  type Actor,
  reactivate,
  raiseQuota,
  recharge,
  renewFree,
  revoke,
} from './simulation-actor.ts';
import { finish } from './simulation-checks.ts';
import { operationNames, type SimulationWorld, openSimulationWorld, type Slot } from './simulation-world.ts';

/**
 * A random simulation of customers on three gateways: calls, dropped connections, repeats, test keys, revocations, deletions, new activations
 * and restarts. It tracks what each customer was sold and what the API returned; the database must agree with both.
 */

const concurrentActors = 6;
const workers = 8;

interface Outcome {
  faults: string[];
  finished: number;
  /** The number of steps of each kind, and of each status; 0 is a lost connection. */
  steps: Record<string, number>;
  statuses: Record<string, number>;
  restarts: number;
  /** Countable responses of the API to finished actors, and calls that a gateway cut off there. */
  given: number;
  cutOff: number;
}

type Random = () => number;

interface Simulation {
  world: SimulationWorld;
  outcome: Outcome;
}

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)];
const count = (tally: Record<string, number>, name: string | number): void =>
  void (tally[name] = (tally[name] ?? 0) + 1);

const kinds = ['200', '200', '200', '201', '404', '422', '500', '503', '429'];
function anyPath(random: Random): string {
  const ms = random() < 0.7 ? 0 : Math.floor(random() * 60);
  const operation = random() < 0.5 ? 'do' : (pick(random, operationNames) ?? 'do');
  return `/${operation}/${pick(random, kinds)}/${ms}`;
}

function maybeBroken(random: Random): string {
  return `${anyPath(random)}${random() < 0.06 ? '/break' : ''}`;
}

/** Makes one call and checks that its status is possible. */
async function call(
  simulation: Simulation,
  random: Random,
  actor: Actor,
  repeat?: Actor['sent'][number],
  at?: Slot,
): Promise<void> {
  const { world, outcome } = simulation;
  const slot = at ?? pick(random, world.slots);
  const apiKey = pick(random, actor.keys);
  if (slot === undefined || apiKey === undefined) return;
  const path = repeat?.path ?? maybeBroken(random);
  const { revoked } = apiKey;
  const before = [slot.generation, slot.running];
  const { generation, changing } = actor;
  const response = await world.harness
    .call(apiKey.key, {
      url: slot.url,
      path,
      ...(repeat === undefined
        ? {}
        : { method: 'POST', body: '{}', headers: { 'idempotency-key': repeat.idempotencyKey } }),
    })
    .catch(() => undefined);
  const status = response?.status ?? 0;
  count(outcome.statuses, status);
  const restarted = before[0] !== slot.generation || before[1] === false || !slot.running;
  const changed = changing || generation !== actor.generation;
  if (revoked && ![401, 0].includes(status)) outcome.faults.push(`${status} for a revoked key`);
  const isLeftOut = actor.costs !== undefined && path.startsWith('/extra');
  if (isLeftOut && [200, 201, 404, 422].includes(status)) outcome.faults.push(`${status} for ${path}, not in the plan`);
  if (!revoked && !changed && !isLeftOut && [401, 402, 403].includes(status))
    outcome.faults.push(`${status} for a key that works`);
  if ([0, 502, 504].includes(status) && !restarted && !path.endsWith('break'))
    outcome.faults.push(`${status} for ${path}`);
}

/** Sends calls on one connection and drops it after a random time. */
async function drop(simulation: Simulation, random: Random, actor: Actor, calls: number): Promise<void> {
  const slot = pick(random, simulation.world.slots);
  const apiKey = pick(random, actor.keys);
  if (slot === undefined || apiKey === undefined) return;
  const heads = Array.from({ length: calls }, (): string => {
    const common = `Host: a\r\nX-API-Key: ${apiKey.key}\r\n`;
    if (random() < 0.4) return `GET /tax-lookup/v1${maybeBroken(random)} HTTP/1.1\r\n${common}\r\n`;
    const again = random() < 0.3 ? pick(random, actor.sent) : undefined;
    const { path, idempotencyKey } = again ?? newRepeatable(actor, maybeBroken(random));
    return `POST /tax-lookup/v1${path} HTTP/1.1\r\n${common}Idempotency-Key: ${idempotencyKey}\r\nContent-Length: 2\r\n\r\n{}`;
  });
  const socket = connect(Number(new URL(slot.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(heads.join(''));
  await sleep(random() < 0.5 ? random() * 4 : random() * 60);
  if (random() < 0.5) socket.destroy();
  else socket.resetAndDestroy();
}

interface Step {
  share: number;
  run: (simulation: Simulation, random: Random, actor: Actor) => Promise<unknown>;
}

const steps: Record<string, Step> = {
  call: { share: 26, run: call },
  'call with an Idempotency-Key': {
    share: 10,
    run: (simulation, random, actor) => call(simulation, random, actor, newRepeatable(actor, maybeBroken(random))),
  },
  repeat: {
    share: 18,
    run: (simulation, random, actor) => call(simulation, random, actor, pick(random, actor.sent)),
  },
  'repeats at once on every gateway': {
    share: 3,
    run: (simulation, random, actor) => {
      const repeat = newRepeatable(actor, maybeBroken(random));
      return Promise.all(simulation.world.slots.map((slot) => call(simulation, random, actor, repeat, slot)));
    },
  },
  'dropped call': { share: 14, run: (simulation, random, actor) => drop(simulation, random, actor, 1) },
  'dropped pipeline': {
    share: 8,
    run: (simulation, random, actor) => drop(simulation, random, actor, 2 + Math.floor(random() * 7)),
  },
  'call of a test key': {
    share: 8,
    run: async ({ world, outcome }, random, actor) => {
      const { harness, slots } = world;
      const url = pick(random, slots)?.url ?? '';
      const response = await harness.call(actor.testKey, { url, path: '/do/200/0' }).catch(() => undefined);
      count(outcome.statuses, `test ${response?.status ?? 0}`);
    },
  },
  'key created': { share: 3, run: ({ world }, _random, actor) => createKey(world, actor) },
  'key revoked': {
    share: 3,
    run: async ({ world }, random, actor) => {
      const apiKey = pick(random, actor.keys);
      if (apiKey !== undefined) await revoke(world, actor, apiKey);
    },
  },
  'deleted and activated again': {
    share: 3,
    run: ({ world }, random, actor) => reactivate(world, actor, random() < 0.6 ? 'free' : 'paid'),
  },
  'pack added': {
    share: 2,
    run: async ({ world }, random, actor) => {
      if (actor.kind === 'paid') await recharge(world, actor, 1 + Math.floor(random() * 20));
    },
  },
  'quota raised or lowered': {
    share: 3,
    run: async ({ world }, random, actor) => {
      if (actor.kind === 'paid') await raiseQuota(world, actor, Math.floor(random() * 21) - 10 || 5);
    },
  },
  'free cycle ended and started again': { share: 1, run: ({ world }, _random, actor) => renewFree(world, actor) },
};

const shares = Object.entries(steps).flatMap(([name, { share }]) => Array<string>(share).fill(name));

/** Runs a number of steps, then checks every actor. SEED=… repeats the same choices. */
export async function runSimulation(total: number): Promise<Outcome> {
  const seed = newSeed();
  const world = await openSimulationWorld();
  const outcome: Outcome = { faults: [], finished: 0, steps: {}, statuses: {}, restarts: 0, given: 0, cutOff: 0 };
  const simulation = { world, outcome };
  const progress = createProgress('steps', total);
  const first = seededRandom(seed);
  const actors = await Promise.all(Array.from({ length: concurrentActors }, () => join(world, first)));
  const end = async (actor: Actor): Promise<void> => {
    outcome.faults.push(...(await finish(world, actor)));
    outcome.finished += 1;
    outcome.given += actor.activations.reduce((sum, { id }) => sum + world.live.given(id).length, 0);
    outcome.cutOff = world.live.cutOff();
  };
  let started = 0;
  let done = 0;
  const runStep = async (random: Random): Promise<void> => {
    if (random() < 0.004) {
      outcome.restarts += 1;
      await pick(random, world.slots.slice(1))?.restart();
      return;
    }
    const index = Math.floor(random() * actors.length);
    const actor = actors[index];
    if (actor === undefined) return;
    if (random() < 0.03) {
      actors[index] = await join(world, random);
      // Another worker may have removed the same actor meanwhile.
      if (!ended.has(actor)) {
        ended.add(actor);
        await end(actor);
      }
      return;
    }
    const name = pick(random, shares) ?? '';
    count(outcome.steps, name);
    actor.steps += 1;
    try {
      await steps[name]?.run(simulation, random, actor);
    } finally {
      actor.steps -= 1;
    }
  };
  const ended = new Set<Actor>();
  const worker = async (): Promise<void> => {
    while (started < total && outcome.faults.length === 0) {
      started += 1;
      await runStep(seededRandom(seed + started));
      done += 1;
      progress(done, `, ${outcome.finished} customers finished, ${outcome.restarts} restarts`);
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, worker));
    await Promise.all(actors.filter((actor) => !ended.has(actor)).map(end));
    if (outcome.faults.length > 0) print(`the simulation ended after ${done} steps: ${JSON.stringify(outcome)}`);
  } finally {
    await world.close();
  }
  return outcome;
}
