import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Money, startMoney } from './test-money.ts';
import type { Portal } from '#server/portal.ts';
import { allOrders, playPayment, removed, deliverInOrder } from './event-orders.ts';

let money: Money;
let processes: Portal[] = [];
beforeAll(async () => {
  money = await startMoney();
  processes = [money.anotherPortal(), money.anotherPortal(), money.anotherPortal()];
});
afterAll(() => money.close());

let turn = 0;
const fresh = (): Portal => processes[(turn += 1) % processes.length] ?? money.portal;

test.each(['paid', 'removed'])(
  'all 720 orders of events about a cycle that is %s, each delivered twice, end in the same state',
  async (what) => {
    const states = new Set<string>();
    for (const order of allOrders()) {
      const played = await playPayment(money);
      states.add(await deliverInOrder(money, what === 'paid' ? played : await removed(money, played), order, fresh));
    }
    expect([...states]).toHaveLength(1);
    expect([...states][0]).toContain(what === 'paid' ? '"cycle":"PAID"' : '"refunds":[["PROCESSED",149900,1]]');
    expect(await money.faults()).toEqual([]);
  },
);
