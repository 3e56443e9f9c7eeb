import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { activateAgain, addPack, endSold } from '#gateway/test/access.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import { createCustomer } from '#gateway/test/world.ts';
import { releaseQuota, takeQuota } from './store.ts';

/** What the database grants of a free quota over months, compared with a model of the rule. */
let database: TestDatabase;
const journalId = 'journal-windows';
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('insert into journals (id, position) values ($1, 0)', [journalId]);
});
afterAll(() => database.close());

const steps = fc.array(
  fc.record({
    /** Days that pass before the step. */
    days: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 })),
    again: fc.boolean(),
    /** Units of a pack that is bought before the step. */
    pack: fc.constantFrom(0, 0, 0, 15, 50),
    wanted: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(200)),
    /** Units returned at once. */
    unused: fc.integer({ min: 0, max: 5 }),
    daily: fc.constantFrom(10, 20),
    monthly: fc.constantFrom(40, 60),
  }),
  { minLength: 5, maxLength: 30 },
);

/** A plan as the model knows it: units of its packs, and what was taken of each day. Days count from today. */
interface Plan {
  from: number;
  daily: number;
  monthly: number;
  packs: number;
  taken: Map<number, number>;
}
interface Window {
  from: number;
  to: number;
}

const begin = (from: number, { daily, monthly }: { daily: number; monthly: number }): Plan => ({
  from,
  daily,
  monthly,
  packs: 0,
  taken: new Map(),
});

const takenIn = ({ taken }: Plan, { from, to }: Window): number =>
  [...taken].reduce((sum, [day, units]) => (from <= day && day < to ? sum + units : sum), 0);

/** What the plans took of their own quotas, of a day and of its window, in the order in which they ran. */
function ownTaken(plans: readonly Plan[], windows: readonly Window[], on: number): { day: number; window: number } {
  const ofDays = new Map<number, number>();
  const window = windows.find(({ from, to }) => from <= on && on < to);
  let ofWindow = 0;
  const { from: since, to: until } = window ?? { from: on, to: on + 1 };
  for (const { daily, monthly, packs, taken } of plans.filter(({ from }) => from < until && since < from + 30)) {
    let [ownLeft, packsLeft] = [monthly, packs];
    for (const [day, units] of taken) {
      const ofDay = ofDays.get(day) ?? 0;
      const isInWindow = window !== undefined && window.from <= day && day < window.to;
      const windowLeft = isInWindow ? monthly - ofWindow : Infinity;
      const own = Math.max(0, Math.min(units, daily - ofDay, ownLeft, windowLeft), units - packsLeft);
      ownLeft -= own;
      packsLeft -= units - own;
      ofDays.set(day, ofDay + own);
      if (isInWindow) ofWindow += own;
    }
  }
  return { day: ofDays.get(on) ?? 0, window: ofWindow };
}

test.each(['NO_PAYMENT_REQUIRED', 'PAID'] as const)(
  'grants exactly the units that day, window, cycle and packs allow, for any sequence of days and activations (%s)',
  async (status) => {
    const { pool } = database;
    const today = dayOf(Date.now());
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const termsOf = ({ from, daily, monthly }: Plan) => ({ status, from, to: from + 30, daily, monthly });
        let plan = begin(0, { daily: 10, monthly: 40 });
        const earlier: Plan[] = [];
        const windows: Window[] = [];
        let customer = await createCustomer(pool, termsOf(plan));
        let offset = 0;
        for (const step of sequence) {
          offset += step.days;
          // After a cycle ends, a new activation starts the next one.
          if (step.again || offset >= plan.from + 30) {
            earlier.push(plan);
            plan = begin(offset, step);
            await endSold(database, customer);
            customer = await activateAgain(database, customer, termsOf(plan));
          }
          if (step.pack > 0) {
            await addPack(database, customer, step.pack);
            plan.packs += step.pack;
          }
          let window = windows.find(({ from, to }) => from <= offset && offset < to);
          if (window === undefined && status !== 'PAID') {
            const from = Math.max(windows.at(-1)?.to ?? plan.from, plan.from);
            windows.push((window = { from, to: from + 30 }));
          }
          const before = ownTaken(earlier, windows, offset);
          const takenToday = plan.taken.get(offset) ?? 0;
          const taken = takenIn(plan, { from: plan.from, to: Infinity });
          const left = Math.max(
            0,
            Math.min(
              plan.daily - Math.min(plan.daily, before.day) - takenToday,
              plan.monthly - taken,
              window ? plan.monthly - Math.min(plan.monthly, before.window) - takenIn(plan, window) : Infinity,
            ) + plan.packs,
          );
          // Nobody pays for what another pack gave.
          expect(left).toBeGreaterThanOrEqual(taken === 0 ? plan.packs : 0);
          const { activationId, cycleId } = customer;
          const day = addDays(today, offset);
          const held = await heldOf(cycleId, day);
          const grant = await takeQuota(pool, journalId, {
            activationId,
            cycleId,
            day,
            keyId: '',
            wanted: step.wanted,
            least: 1,
            needed: 0,
            recall: 'journal-windows/1',
          });
          const expected = Math.min(step.wanted, left);
          expect(grant).toMatchObject({ granted: expected });
          const unused = Math.min(step.unused, expected);
          const keep = held + expected - unused;
          await releaseQuota(pool, journalId, [{ activation: activationId, cycle: cycleId, day, key: '', keep }]);
          plan.taken.set(offset, takenToday + expected - unused);
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
    expect(await findQuotaMismatches(database)).toEqual([]);
  },
);

test('while a plan ends no units are taken of it, so that its refund is of what is left', async () => {
  const { pool } = database;
  const { activationId, cycleId } = await createCustomer(pool);
  const day = dayOf(Date.now());
  const request = {
    activationId,
    cycleId,
    day,
    keyId: '',
    wanted: 5,
    least: 1,
    needed: 0,
    recall: 'journal-windows/1',
  };
  const ending = await pool.connect();
  try {
    await ending.query('begin');
    await ending.query("update cycles set status = 'DEACTIVATED', ended_at = now() where id = $1", [cycleId]);
    const grant = takeQuota(pool, journalId, request);
    await expect.poll(waitingForQuota, { timeout: 60_000 }).toBe(1);
    await ending.query('commit');
    expect(await grant).toBeUndefined();
  } finally {
    ending.release();
  }
});

/** Gateways that wait for a lock. */
async function waitingForQuota(): Promise<number> {
  const waiting = await database.pool.query<{ waiting: number }>(
    `select count(*)::integer as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%take_quota%'`,
  );
  return waiting.rows[0]?.waiting ?? 0;
}

async function heldOf(cycleId: string, day: Day): Promise<number> {
  const held = await database.pool.query<{ held: number }>(
    'select coalesce(sum(held), 0) as held from leases where cycle_id = $1 and day = $2',
    [cycleId, day],
  );
  return held.rows[0]?.held ?? 0;
}
