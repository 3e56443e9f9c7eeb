import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Actor, reactivate, type Quota, unitsOf } from './simulation-actor.ts';
import { operationCosts, type SimulationWorld, testCallsPerDay } from './simulation-world.ts';
import { addKey, usageOf } from './world.ts';

/** Two of them in turn end before the test does, which then says what is wrong. */
const timeoutMs = 40_000;

/** Waits until a condition holds; false after `timeoutMs`. */
async function until(holds: () => Promise<boolean> | boolean): Promise<boolean> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await sleep(20)) {
    if (await holds()) return true;
  }
  return holds();
}

/** Units used on the busiest day, today, and in total. */
async function usedOf(
  world: SimulationWorld,
  activationIds: string[],
): Promise<{ most: number; today: number; all: number }> {
  const { rows } = await world.harness.database.pool.query<{ units: number; today: boolean }>(
    `select sum(units)::int as units, day = (now() at time zone 'Asia/Kolkata')::date as today
     from usage_counts where activation_id = any ($1) and counted group by day`,
    [activationIds],
  );
  const most = Math.max(0, ...rows.map(({ units }) => units));
  return {
    most,
    today: rows.find(({ today }) => today)?.units ?? 0,
    all: rows.reduce((sum, { units }) => sum + units, 0),
  };
}

/** Units that the API's responses use, and the number of those responses. */
function givenOf({ live }: SimulationWorld, actor: Actor, activationIds: string[]): { units: number; calls: number } {
  const units = activationIds.flatMap((id) => live.given(id).map((response) => unitsOf(actor, response)));
  return { units: units.reduce((sum, each) => sum + each, 0), calls: units.filter((each) => each > 0).length };
}

/** The quotas of a paid activation: those of its plan, and its packs. */
function soldTo({ paid, packs }: Actor, activationId: string): Quota {
  const units = packs.get(activationId) ?? 0;
  return { daily: paid.daily + units, monthly: paid.monthly + units };
}

/** The quota of the actor's current activation, and all activations that share it. */
function accountOf(actor: Actor): { ids: string[]; sold: Quota } {
  if (actor.kind === 'paid') {
    const { activationId } = actor.now;
    return { ids: [activationId], sold: soldTo(actor, activationId) };
  }
  return { ids: actor.activations.filter(({ kind }) => kind === 'free').map(({ id }) => id), sold: actor.free };
}

/**
 * Units of today's quota that paid activations before the current one used: ending a plan and activating again gives no new day (product §7.3). What
 * their packs gave is none of it.
 */
async function usedBefore(world: SimulationWorld, actor: Actor): Promise<number> {
  const ids = actor.activations.filter(({ id, kind }) => kind === 'paid' && id !== actor.now.activationId);
  if (actor.kind === 'free' || ids.length === 0) return 0;
  const { daily, monthly } = actor.paid;
  const own = await Promise.all(
    ids.map(async ({ id }) => {
      const { today } = await usedOf(world, [id]);
      return Math.max(Math.min(today, daily, monthly), today - (actor.packs.get(id) ?? 0));
    }),
  );
  return Math.min(
    own.reduce((sum, each) => sum + each, 0),
    daily,
  );
}

/** Checks that every countable response of the API was counted, and nothing else. */
async function checkCounts(world: SimulationWorld, actor: Actor, when: string, faults: string[]): Promise<void> {
  for (const { id, kind } of actor.activations) {
    const { database } = world.harness;
    const counted = async () => ({
      units: (await usedOf(world, [id])).all,
      calls: (await usageOf(database.pool, id)).counted,
    });
    const given = () => givenOf(world, actor, [id]);
    if (await until(async () => isDeepStrictEqual(await counted(), given()))) continue;
    faults.push(
      `${id} (${kind}) ${when}: given ${JSON.stringify(given())}, counted ${JSON.stringify(await counted())}`,
    );
  }
}

async function checkSold(world: SimulationWorld, actor: Actor, faults: string[]): Promise<void> {
  const freeIds = actor.activations.filter(({ kind }) => kind === 'free').map(({ id }) => id);
  const accounts = actor.activations
    .filter(({ kind }) => kind === 'paid')
    .map(({ id }) => ({ ids: [id], sold: soldTo(actor, id) }))
    .concat({ ids: freeIds, sold: actor.free });
  for (const { ids, sold } of accounts) {
    const { most, all } = await usedOf(world, ids);
    if (most > sold.daily || all > sold.monthly || givenOf(world, actor, ids).units > sold.monthly) {
      faults.push(
        `over: ${most} on a day, ${all} in total, ${givenOf(world, actor, ids).units} given of ${JSON.stringify(sold)} (${ids.join(', ')})`,
      );
    }
  }
}

/** The leases of these activations, for error messages. */
async function leasesOf({ harness: { database } }: SimulationWorld, activationIds: string[]): Promise<string> {
  const { rows } = await database.pool.query('select * from leases where activation_id = any ($1)', [activationIds]);
  return JSON.stringify(rows);
}

/**
 * Calls through all gateways until the quota is used up. Calls on dropped connections may still be running, so the remaining quota is read
 * repeatedly; `checkSold` finds calls above it.
 */
async function drain(world: SimulationWorld, actor: Actor, faults: string[]): Promise<void> {
  const { key } = await addKey(world.harness.database.pool, actor.now.activationId);
  const { ids, sold } = accountOf(actor);
  const remaining = async (): Promise<number> => {
    const { today, all } = await usedOf(world, ids);
    return Math.min(sold.daily - (await usedBefore(world, actor)) - today, sold.monthly - all);
  };
  let turn = 0;
  const call = async (operation = 'do'): Promise<number> => {
    turn += 1;
    const running = world.slots.filter((slot) => slot.running);
    const slot = running[turn % running.length];
    const response = await world.harness
      .call(key, { url: slot?.url ?? '', path: `/${operation}/200/0` })
      .catch(() => undefined);
    return response?.status ?? 0;
  };
  const large = actor.costs === undefined ? 1 : (operationCosts['bulk']?.units ?? 1);
  const fits = await until(async () => {
    while ((await call('bulk')) === 200);
    return (await remaining()) < large;
  });
  if (!fits) {
    faults.push(`under: ${await remaining()} units are left, and a call of ${large} is refused`);
    return;
  }
  const usedUp = await until(async () => {
    while ((await call()) === 200);
    return (await remaining()) <= 0;
  });
  if (usedUp) return;
  const account = `${actor.kind}, ${JSON.stringify(sold)} (${ids.join(', ')})`;
  faults.push(`under: ${await remaining()} units cannot be used: ${account}, on lease: ${await leasesOf(world, ids)}`);
}

async function drainTestCalls(
  { harness, sandbox, slots }: SimulationWorld,
  actor: Actor,
  faults: string[],
): Promise<void> {
  const call = () => harness.call(actor.testKey, { url: slots[0]?.url ?? '', path: '/do/200/0' });
  while ((await call()).status !== 429);
  const arrived = sandbox.arrived(actor.customerId);
  if (arrived !== testCallsPerDay) faults.push(`${actor.customerId}: ${arrived} test calls of ${testCallsPerDay}`);
}

/** Finishes an actor: waits for its calls, uses the rest of its quotas, and returns everything that is wrong. */
export async function finish(world: SimulationWorld, actor: Actor): Promise<string[]> {
  const faults: string[] = [];
  await until(() => actor.steps === 0);
  await checkCounts(world, actor, 'before the last units', faults);
  await drain(world, actor, faults);
  await drainTestCalls(world, actor, faults);
  if (actor.kind === 'paid') {
    // The rest of its free quota must still be usable.
    await reactivate(world, actor, 'free');
    await drain(world, actor, faults);
  }
  await checkCounts(world, actor, 'at the end', faults);
  await checkSold(world, actor, faults);
  return faults;
}
