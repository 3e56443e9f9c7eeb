import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSeed } from '#shared/platform/test-seed.ts';
import { type Money, startMoney } from './test-money.ts';
import type { Portal } from '#server/portal.ts';
import { allOrders, playPayment, removed, sampleOrders, deliverInOrder } from './event-orders.ts';

let money: Money;
let processes: Portal[] = [];
beforeAll(async () => {
  money = await startMoney();
  processes = [money.anotherPortal(), money.anotherPortal(), money.anotherPortal()];
});
afterAll(() => money.close());

/** Processes without shared memory: to a portal, a restart is the loss of everything it remembers. */
let turn = 0;
const fresh = (): Portal => {
  const { db, ...rest } = processes[(turn += 1) % processes.length] ?? money.portal;
  return { ...rest, db };
};

test('there are 720 orders of six events', () => {
  expect(new Set(allOrders().map((order) => order.join())).size).toBe(720);
});

test(
  `a tenth of all orders, each event delivered twice, end in the same state (SEED=${testSeed})`,
  { timeout: 300_000 },
  async () => {
    const states = new Set<string>();
    for (const order of sampleOrders(72, testSeed)) {
      states.add(await deliverInOrder(money, await playPayment(money), order, fresh));
    }
    expect([...states]).toEqual([
      JSON.stringify({
        cycle: 'PAID',
        payments: [['captured', 'CYCLE', 149_900]],
        refunds: [],
        entries: ['CAPTURED_FOR_CYCLE'],
        orders: ['PAID'],
      }),
    ]);
    expect(await money.faults()).toEqual([]);
  },
);

test(
  `the same for a cycle that was removed in the meantime: refunded once (SEED=${testSeed + 1})`,
  { timeout: 300_000 },
  async () => {
    const states = new Set<string>();
    for (const order of sampleOrders(24, testSeed + 1)) {
      states.add(await deliverInOrder(money, await removed(money, await playPayment(money)), order, fresh));
    }
    expect([...states]).toEqual([
      JSON.stringify({
        cycle: 'REMOVED',
        payments: [['captured', 'REFUND', 149_900]],
        refunds: [['PROCESSED', 149_900, 1]],
        entries: ['CAPTURED_FOR_REFUND', 'REFUND_PAID'],
        orders: ['CLOSED'],
      }),
    ]);
    expect(await money.faults()).toEqual([]);
  },
);
