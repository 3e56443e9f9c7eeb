import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { dayOf } from '#shared/domain/day.ts';
import { newRequestId } from '#gateway/http/request-id.ts';
import { createCustomer, type Customer, usageOf } from '#gateway/test/world.ts';
import { createLog } from '#shared/platform/log.ts';
import { createIdempotentCalls, type IdempotentCalls } from './idempotent-calls.ts';

let database: TestDatabase;
const journalId = 'journal-idempotent';
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('insert into journals (id, position) values ($1, 0)', [journalId]);
});
afterAll(() => database.close());

const logged: unknown[] = [];
const log = createLog('test', { destination: { write: (line) => void logged.push(JSON.parse(line)) } });
const create = (timeoutMs = 60_000): IdempotentCalls =>
  createIdempotentCalls({ pool: database.pool, journalId, runCounting: () => {}, timeoutMs, log });

/** Lets the database decide about a call; the outcomes are listed as they come. */
function decide(calls: IdempotentCalls, { activationId, cycleId, keyId }: Omit<Customer, 'key'>, outcomes: string[]) {
  const id = newRequestId();
  calls.decide({
    call: {
      id,
      response: id,
      keyHash: '0'.repeat(64),
      startedAt: new Date(),
      activation: activationId,
      cycle: cycleId,
      key: keyId,
      lease: '',
      day: dayOf(Date.now()),
      class: 2,
      units: 1,
      broken: false,
    },
    refused: () => void outcomes.push('refused'),
    decided: (counted) => void outcomes.push(counted ? 'counted' : 'not counted'),
  });
  return id;
}

test('a call that the database rejects is refused and free, and all others are decided', async () => {
  const customers = await Promise.all(Array.from({ length: 7 }, () => createCustomer(database.pool)));
  const calls = create();
  const outcomes = customers.map((): string[] => []);
  const unknown: string[] = [];
  const rejectedId = customers.map((customer, index) => {
    decide(calls, customer, outcomes[index] ?? []);
    // In the middle of the batch: an activation that the database has lost.
    return index === 3 ? decide(calls, { ...customer, activationId: 'ACT-lost' }, unknown) : '';
  })[3];
  await calls.send();
  expect(unknown).toEqual(['refused', 'not counted']);
  expect(outcomes).toEqual(customers.map(() => ['counted']));
  for (const { activationId } of customers)
    expect(await usageOf(database.pool, activationId)).toEqual({ counted: 1, free: 0 });
  expect(logged).toEqual([expect.objectContaining({ requestId: rejectedId, activation: 'ACT-lost', code: '23503' })]);
  expect(calls.isEmpty()).toBe(true);
});

test('a call that waits for too long is refused, and never sent', async () => {
  const customer = await createCustomer(database.pool);
  const calls = create(-1);
  const outcomes: string[] = [];
  decide(calls, customer, outcomes);
  calls.sweep();
  expect(outcomes).toEqual(['refused', 'not counted']);
  expect(calls.isEmpty()).toBe(true);
  await calls.send();
  expect(await usageOf(database.pool, customer.activationId)).toEqual({ counted: 0, free: 0 });
});
