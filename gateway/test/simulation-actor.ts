import { randomUUID } from 'node:crypto';
import { activateAgain, addPack, addRaise, changePlan, revokeKey } from './access.ts';
import { type CallCost, isCharged, standardCost } from '#shared/domain/operation.ts';
import type { GivenResponse } from './simulation-upstream.ts';
import { operationCosts, operationNames, type SimulationWorld } from './simulation-world.ts';
import { addKey, createCustomer, type Customer, type PlanTerms } from './world.ts';

/** A simulated customer and its quotas: one free quota shared by all its free activations, and a paid quota for each paid one. */
export interface Actor {
  customerId: string;
  now: Customer;
  kind: 'free' | 'paid';
  free: Quota;
  paid: Quota;
  /** Some customers' plans say what operations cost, and leave one out. */
  costs: Record<string, CallCost> | undefined;
  /** Units that packs and operators added to the running cycle, and to earlier ones by their activation. */
  packs: Map<string, number>;
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

export interface Quota {
  daily: number;
  monthly: number;
}

/** Units that a response uses. */
export function unitsOf({ costs }: Pick<Actor, 'costs'>, { operation, status }: GivenResponse): number {
  const cost = costs?.[operation] ?? standardCost;
  return isCharged(cost, status) ? cost.units : 0;
}

const included = operationNames.filter((name) => name !== 'extra');

const terms = (actor: Pick<Actor, 'free' | 'paid' | 'costs'>, kind: 'free' | 'paid'): PlanTerms => ({
  from: 0,
  to: 30,
  ...(actor.costs === undefined ? {} : { costs: actor.costs, operations: included }),
  ...(kind === 'free' ? actor.free : { ...actor.paid, status: 'PAID' }),
});

export async function join({ harness }: SimulationWorld, random: () => number): Promise<Actor> {
  const sell = (): Quota => {
    const daily = 4 + Math.floor(random() * 24);
    return { daily, monthly: random() < 0.6 ? 10_000 : 3 + Math.floor(random() * daily) };
  };
  const sold = { free: sell(), paid: sell(), costs: random() < 0.6 ? operationCosts : undefined };
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
    packs: new Map(),
    activations: [{ id: now.activationId, kind }],
    keys: [{ key: now.key, keyId: now.keyId, revoked: false }],
    testKey,
    sent: [],
    generation: 0,
    changing: false,
    steps: 0,
  };
}

/** Runs one change of an actor's access at a time. */
async function change(actor: Actor, work: () => Promise<void>): Promise<void> {
  if (actor.changing) return;
  actor.changing = true;
  actor.generation += 1;
  try {
    await work();
  } finally {
    actor.generation += 1;
    actor.changing = false;
  }
}

export function createKey({ harness }: SimulationWorld, actor: Actor): Promise<void> {
  return change(actor, async () => {
    const made = await addKey(harness.database.pool, actor.now.activationId);
    actor.keys.push({ ...made, revoked: false });
  });
}

/** Once this resolves, no gateway accepts the key. */
export function revoke({ harness }: SimulationWorld, actor: Actor, which: Actor['keys'][number]): Promise<void> {
  return change(actor, async () => {
    if (which.revoked || !actor.keys.includes(which)) return;
    const confirmed = await revokeKey(harness.database, actor.now.activationId, which.keyId);
    if (confirmed) which.revoked = true;
    else actor.keys = actor.keys.filter((each) => each !== which);
  });
}

/** Deletes the activation and activates the product again, with the same plan or the other. */
export function reactivate({ harness }: SimulationWorld, actor: Actor, kind: 'free' | 'paid'): Promise<void> {
  return change(actor, async () => {
    if (actor.kind === 'paid') {
      // Skips the trigger that requires a payment.
      await harness.database.owner.pool.query(
        `begin; set local session_replication_role = replica; update cycles set status = 'DEACTIVATED' where '${actor.now.cycleId}' in (id, adds_to); commit`,
      );
    }
    actor.now = await activateAgain(harness.database, actor.now, terms(actor, kind));
    actor.kind = kind;
    actor.activations.push({ id: actor.now.activationId, kind });
    actor.keys = [{ key: actor.now.key, keyId: actor.now.keyId, revoked: false }];
    actor.sent = [];
    const { key } = await addKey(harness.database.pool, actor.now.activationId, { test: true });
    actor.testKey = key;
  });
}

/** Ends a free cycle and adds another. */
export function renewFree({ harness }: SimulationWorld, actor: Actor): Promise<void> {
  return change(actor, async () => {
    if (actor.kind === 'free') await changePlan(harness.database, actor.now, terms(actor, 'free'));
  });
}

/** Adds a paid pack to the running cycle. Its units can be used on any day of it. */
export function recharge({ harness }: SimulationWorld, actor: Actor, units: number): Promise<void> {
  return change(actor, async () => {
    const { activationId } = actor.now;
    await addPack(harness.database, actor.now, units);
    actor.packs.set(activationId, (actor.packs.get(activationId) ?? 0) + units);
  });
}

/** An operator adds units to the quota of the running cycle, or takes back what was added and is not used. */
export function raiseQuota({ harness }: SimulationWorld, actor: Actor, units: number): Promise<void> {
  return change(actor, async () => {
    const { activationId } = actor.now;
    const isDone = await addRaise(harness.database, actor.now, units);
    if (isDone) actor.packs.set(activationId, (actor.packs.get(activationId) ?? 0) + units);
  });
}

/** A call that can be repeated, under a new Idempotency-Key. */
export function newRepeatable(actor: Actor, path: string): Actor['sent'][number] {
  const call = { idempotencyKey: randomUUID(), path };
  actor.sent.push(call);
  return call;
}
