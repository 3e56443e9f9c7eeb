import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { addDays, type Day, dayOf } from '#domain/day.ts';
import { activateAgain } from '#gateway/test/access.ts';
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
    wanted: fc.integer({ min: 1, max: 30 }),
    /** Units returned at once. */
    unused: fc.integer({ min: 0, max: 5 }),
    daily: fc.constantFrom(10, 20),
    monthly: fc.constantFrom(40, 60),
  }),
  { minLength: 5, maxLength: 30 },
);

test('grants exactly the free units that day, window and cycle allow, for any sequence of days and activations', async () => {
  const { pool } = database;
  const today = dayOf(Date.now());
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const ofDay = new Map<Day, number>();
      const windows: { from: Day; to: Day; taken: number }[] = [];
      let terms = { from: 0, to: 30, daily: 10, monthly: 40 };
      let customer = await createCustomer(pool, terms);
      let ofActivationDay = new Map<Day, number>();
      let ofCycle = 0;
      let offset = 0;
      for (const step of sequence) {
        offset += step.days;
        // After a cycle ends, a new activation starts the next one.
        if (step.again || offset >= terms.to) {
          terms = { from: offset, to: offset + 30, daily: step.daily, monthly: step.monthly };
          customer = await activateAgain(database, customer, terms);
          ofActivationDay = new Map();
          ofCycle = 0;
        }
        const day = addDays(today, offset);
        const cycleFrom = addDays(today, terms.from);
        let window = windows.find((each) => each.from <= day && day < each.to);
        if (window === undefined) {
          const lastEnd = windows.at(-1)?.to ?? cycleFrom;
          const from = lastEnd > cycleFrom ? lastEnd : cycleFrom;
          windows.push((window = { from, to: addDays(from, 30), taken: 0 }));
        }
        const dayTaken = Math.max(ofDay.get(day) ?? 0, ofActivationDay.get(day) ?? 0);
        const left = Math.max(0, Math.min(terms.daily - dayTaken, terms.monthly - Math.max(window.taken, ofCycle)));
        const { activationId, cycleId } = customer;
        const about = { activationId, cycleId, day, keyId: '' };
        const held = await heldOf(cycleId, day);
        const grant = await takeQuota(pool, journalId, {
          ...about,
          wanted: step.wanted,
          least: 1,
          needed: 0,
          recall: 'journal-windows/1',
        });
        const expected = Math.min(step.wanted, left);
        expect(grant?.granted).toBe(expected);
        const unused = Math.min(step.unused, expected);
        const keep = held + expected - unused;
        await releaseQuota(pool, journalId, [{ activation: activationId, cycle: cycleId, day, key: '', keep }]);
        const taken = expected - unused;
        ofDay.set(day, (ofDay.get(day) ?? 0) + taken);
        ofActivationDay.set(day, (ofActivationDay.get(day) ?? 0) + taken);
        ofCycle += taken;
        window.taken += taken;
      }
    }),
    { numRuns: 25 },
  );
  expect(await findQuotaMismatches(database)).toEqual([]);
});

async function heldOf(cycleId: string, day: Day): Promise<number> {
  const held = await database.pool.query<{ held: number }>(
    'select coalesce(sum(held), 0) as held from leases where cycle_id = $1 and day = $2',
    [cycleId, day],
  );
  return held.rows[0]?.held ?? 0;
}
