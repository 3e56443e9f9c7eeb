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

/** As many here; `npm run test:long` lets twenty of each loose. */
const storms = Number(process.env['STORMS'] ?? 3);

test.each(pairs)('%s and %s at the same moment come to what they would one after the other', async (first, second) => {
  const allowed = await serialOutcomes(money, first, second);
  for (let storm = 0; storm < storms; storm += 1) {
    expect(allowed).toContain(await race(money, other, first, second));
  }
});

test('after every race money is where it belongs, and nobody was shown a deadlock', async () => {
  await money.work();
  expect(await money.faults()).toEqual([]);
  expect(money.logLines.join('')).not.toMatch(/deadlock|40P01/);
});
