import { randomUUID } from 'node:crypto';
import { activateAgain, changePlan, revokeKey } from './access.ts';
import type { GameWorld } from './game-world.ts';
import { addKey, createCustomer, type Customer, type PlanTerms } from './world.ts';

/** A customer of the game and its quotas: one free quota shared by all its free activations, and a paid quota for each paid one. */
export interface Player {
  customerId: string;
  now: Customer;
  kind: 'free' | 'paid';
  free: Sold;
  paid: Sold;
  activations: { id: string; kind: 'free' | 'paid' }[];
  keys: { key: string; keyId: string; revoked: boolean }[];
  testKey: string;
  /** Calls with an Idempotency-Key that can be repeated. */
  sent: { idempotencyKey: string; path: string }[];
  /** Increases when a change of access begins and ends: a call during a change may be refused. */
  generation: number;
  changing: boolean;
  /** Steps in progress. */
  steps: number;
}

export interface Sold {
  daily: number;
  monthly: number;
}

const terms = (player: Pick<Player, 'free' | 'paid'>, kind: 'free' | 'paid'): PlanTerms => ({
  from: 0,
  to: 30,
  ...(kind === 'free' ? player.free : { ...player.paid, status: 'PAID' }),
});

export async function join({ harness }: GameWorld, random: () => number): Promise<Player> {
  const sell = (): Sold => {
    const daily = 4 + Math.floor(random() * 24);
    return { daily, monthly: random() < 0.6 ? 10_000 : 3 + Math.floor(random() * daily) };
  };
  const sold = { free: sell(), paid: sell() };
  const kind = random() < 0.6 ? 'free' : 'paid';
  const now = await createCustomer(harness.database.pool, terms(sold, kind));
  const of = await harness.database.pool.query<{ customer_id: string }>(
    'select customer_id from activations where id = $1',
    [now.activationId],
  );
  const { key: testKey } = await addKey(harness.database.pool, now.activationId, { test: true });
  return {
    customerId: of.rows[0]?.customer_id ?? '',
    now,
    kind,
    ...sold,
    activations: [{ id: now.activationId, kind }],
    keys: [{ key: now.key, keyId: now.keyId, revoked: false }],
    testKey,
    sent: [],
    generation: 0,
    changing: false,
    steps: 0,
  };
}

/** Runs one change of a player's access at a time. */
async function change(player: Player, work: () => Promise<void>): Promise<void> {
  if (player.changing) return;
  player.changing = true;
  player.generation += 1;
  try {
    await work();
  } finally {
    player.generation += 1;
    player.changing = false;
  }
}

export function makeKey({ harness }: GameWorld, player: Player): Promise<void> {
  return change(player, async () => {
    const made = await addKey(harness.database.pool, player.now.activationId);
    player.keys.push({ ...made, revoked: false });
  });
}

/** Once this resolves, no gateway accepts the key. */
export function revoke({ harness }: GameWorld, player: Player, which: Player['keys'][number]): Promise<void> {
  return change(player, async () => {
    if (which.revoked || !player.keys.includes(which)) return;
    const confirmed = await revokeKey(harness.database, player.now.activationId, which.keyId);
    if (confirmed) which.revoked = true;
    else player.keys = player.keys.filter((each) => each !== which);
  });
}

/** Deletes the activation and activates the product again, with the same plan or the other. */
export function reactivate({ harness }: GameWorld, player: Player, kind: 'free' | 'paid'): Promise<void> {
  return change(player, async () => {
    if (player.kind === 'paid') {
      // Skips the trigger that requires a payment.
      await harness.database.pool.query(
        `begin; set local session_replication_role = replica; update cycles set status = 'DEACTIVATED' where id = '${player.now.cycleId}'; commit`,
      );
    }
    player.now = await activateAgain(harness.database, player.now, terms(player, kind));
    player.kind = kind;
    player.activations.push({ id: player.now.activationId, kind });
    player.keys = [{ key: player.now.key, keyId: player.now.keyId, revoked: false }];
    player.sent = [];
    const { key } = await addKey(harness.database.pool, player.now.activationId, { test: true });
    player.testKey = key;
  });
}

/** Ends a free cycle and adds another. */
export function renewFree({ harness }: GameWorld, player: Player): Promise<void> {
  return change(player, async () => {
    if (player.kind === 'free') await changePlan(harness.database, player.now, terms(player, 'free'));
  });
}

/** A call that can be repeated, under a new Idempotency-Key. */
export function newRepeatable(player: Player, path: string): Player['sent'][number] {
  const call = { idempotencyKey: randomUUID(), path };
  player.sent.push(call);
  return call;
}
