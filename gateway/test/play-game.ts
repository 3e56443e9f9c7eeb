import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { join, makeKey, newRepeatable, type Player, reactivate, renewFree, revoke } from './game-player.ts';
import { settle } from './game-settle.ts';
import { type GameWorld, openGameWorld, type Slot } from './game-world.ts';
import { createProgress, newSeed, say, seededRandom } from './storm.ts';

/**
 * A random game of calls, dropped connections, repeats, test keys, revocations, deletions, new activations and restarts over three gateways.
 * The game tracks what each player was sold and what the API returned; the database must agree with both.
 */

const playersAtOnce = 6;
const lanes = 8;

interface Outcome {
  faults: string[];
  settled: number;
  /** The number of steps of each kind, and of each status; 0 is a lost connection. */
  played: Record<string, number>;
  statuses: Record<string, number>;
  restarts: number;
  /** Countable responses of the API to players who have left, and calls that a gateway cut off there. */
  given: number;
  cutOff: number;
}

type Random = () => number;

interface Game {
  world: GameWorld;
  outcome: Outcome;
}

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)];
const count = (tally: Record<string, number>, name: string | number): void =>
  void (tally[name] = (tally[name] ?? 0) + 1);

const kinds = ['200', '200', '200', '201', '404', '422', '500', '503', '429'];
function anyPath(random: Random): string {
  const ms = random() < 0.7 ? 0 : Math.floor(random() * 60);
  return `/do/${pick(random, kinds)}/${ms}`;
}

function maybeBroken(random: Random): string {
  return `${anyPath(random)}${random() < 0.06 ? '/break' : ''}`;
}

/** Makes one call and checks that its status is possible. */
async function call(
  game: Game,
  random: Random,
  player: Player,
  repeat?: Player['sent'][number],
  at?: Slot,
): Promise<void> {
  const { world, outcome } = game;
  const slot = at ?? pick(random, world.slots);
  const apiKey = pick(random, player.keys);
  if (slot === undefined || apiKey === undefined) return;
  const path = repeat?.path ?? maybeBroken(random);
  const { revoked } = apiKey;
  const before = [slot.generation, slot.running];
  const { generation, changing } = player;
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
  const changed = changing || generation !== player.generation;
  if (revoked && ![401, 0].includes(status)) outcome.faults.push(`${status} for a revoked key`);
  if (!revoked && !changed && [401, 402, 403].includes(status)) outcome.faults.push(`${status} for a key that works`);
  if ([0, 502, 504].includes(status) && !restarted && !path.endsWith('break'))
    outcome.faults.push(`${status} for ${path}`);
}

/** Sends calls on one connection and drops it after a random time. */
async function drop(game: Game, random: Random, player: Player, calls: number): Promise<void> {
  const slot = pick(random, game.world.slots);
  const apiKey = pick(random, player.keys);
  if (slot === undefined || apiKey === undefined) return;
  const heads = Array.from({ length: calls }, (): string => {
    const common = `Host: a\r\nX-API-Key: ${apiKey.key}\r\n`;
    if (random() < 0.4) return `GET /tax-lookup/v1${maybeBroken(random)} HTTP/1.1\r\n${common}\r\n`;
    const again = random() < 0.3 ? pick(random, player.sent) : undefined;
    const { path, idempotencyKey } = again ?? newRepeatable(player, maybeBroken(random));
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
  play: (game: Game, random: Random, player: Player) => Promise<unknown>;
}

const steps: Record<string, Step> = {
  call: { share: 26, play: call },
  'call with an Idempotency-Key': {
    share: 10,
    play: (game, random, player) => call(game, random, player, newRepeatable(player, maybeBroken(random))),
  },
  repeat: {
    share: 18,
    play: (game, random, player) => call(game, random, player, pick(random, player.sent)),
  },
  'repeats at once on every gateway': {
    share: 3,
    play: (game, random, player) => {
      const repeat = newRepeatable(player, maybeBroken(random));
      return Promise.all(game.world.slots.map((slot) => call(game, random, player, repeat, slot)));
    },
  },
  'dropped call': { share: 14, play: (game, random, player) => drop(game, random, player, 1) },
  'dropped pipeline': {
    share: 8,
    play: (game, random, player) => drop(game, random, player, 2 + Math.floor(random() * 7)),
  },
  'call of a test key': {
    share: 8,
    play: async ({ world, outcome }, random, player) => {
      const { harness, slots } = world;
      const url = pick(random, slots)?.url ?? '';
      const response = await harness.call(player.testKey, { url, path: '/do/200/0' }).catch(() => undefined);
      count(outcome.statuses, `test ${response?.status ?? 0}`);
    },
  },
  'key made': { share: 3, play: ({ world }, _random, player) => makeKey(world, player) },
  'key revoked': {
    share: 3,
    play: async ({ world }, random, player) => {
      const apiKey = pick(random, player.keys);
      if (apiKey !== undefined) await revoke(world, player, apiKey);
    },
  },
  'deleted and activated again': {
    share: 3,
    play: ({ world }, random, player) => reactivate(world, player, random() < 0.6 ? 'free' : 'paid'),
  },
  'free cycle ended and added': { share: 1, play: ({ world }, _random, player) => renewFree(world, player) },
};

const shares = Object.entries(steps).flatMap(([name, { share }]) => Array<string>(share).fill(name));

/** Plays a number of steps, then checks every player. SEED=… repeats the same choices. */
export async function playGame(total: number): Promise<Outcome> {
  const seed = newSeed();
  const world = await openGameWorld();
  const outcome: Outcome = { faults: [], settled: 0, played: {}, statuses: {}, restarts: 0, given: 0, cutOff: 0 };
  const game = { world, outcome };
  const progress = createProgress('steps', total);
  const first = seededRandom(seed);
  const players = await Promise.all(Array.from({ length: playersAtOnce }, () => join(world, first)));
  const end = async (player: Player): Promise<void> => {
    outcome.faults.push(...(await settle(world, player)));
    outcome.settled += 1;
    outcome.given += player.activations.reduce((sum, { id }) => sum + world.live.given(id), 0);
    outcome.cutOff = world.live.cutOff();
  };
  let begun = 0;
  let done = 0;
  const play = async (random: Random): Promise<void> => {
    if (random() < 0.004) {
      outcome.restarts += 1;
      await pick(random, world.slots.slice(1))?.restart();
      return;
    }
    const index = Math.floor(random() * players.length);
    const player = players[index];
    if (player === undefined) return;
    if (random() < 0.03) {
      players[index] = await join(world, random);
      // Another lane may have removed the same player meanwhile.
      if (!ended.has(player)) {
        ended.add(player);
        await end(player);
      }
      return;
    }
    const name = pick(random, shares) ?? '';
    count(outcome.played, name);
    player.steps += 1;
    try {
      await steps[name]?.play(game, random, player);
    } finally {
      player.steps -= 1;
    }
  };
  const ended = new Set<Player>();
  const lane = async (): Promise<void> => {
    while (begun < total && outcome.faults.length === 0) {
      begun += 1;
      await play(seededRandom(seed + begun));
      done += 1;
      progress(done, `, ${outcome.settled} customers settled, ${outcome.restarts} restarts`);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
    await Promise.all(players.filter((player) => !ended.has(player)).map(end));
    if (outcome.faults.length > 0) say(`the game ended after ${done} steps: ${JSON.stringify(outcome)}`);
  } finally {
    await world.close();
  }
  return outcome;
}
