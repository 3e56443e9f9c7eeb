import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Money, startMoney } from './test-money.ts';
import type { Portal } from '#server/portal.ts';
import { pairs, race, serialOutcomes } from './races.ts';

let money: Money;
let other: Portal;
beforeAll(async () => {
  money = await startMoney();
  other = money.anotherPortal();
});
afterAll(() => money.close());

/** Races per pair here; `npm run test:long` runs twenty of each. */
const storms = Number(process.env['STORMS'] ?? 3);

test.each(pairs)(
  '%s and %s at the same time have a result that they could also have one after the other',
  async (first, second) => {
    const allowed = await serialOutcomes(money, first, second);
    for (let storm = 0; storm < storms; storm += 1) {
      expect(allowed).toContain(await race(money, other, first, second));
    }
  },
);

test('after all races the ledger is correct, and no deadlock was returned', async () => {
  await money.work(money.portal, 60_000);
  expect(await money.faults()).toEqual([]);
  expect(money.logLines.join('')).not.toMatch(/deadlock|40P01/);
});
