import { expect, onTestFinished, test } from 'vitest';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { startTestPortal } from '#server/test/portal.ts';

test('a GSTIN finds its customer also after it was corrected, while it stands on an invoice', async () => {
  const world = await startTestPortal({ jobs: false });
  onTestFinished(() => world.close());
  const gstin = '29ZZZCA0001A1Z0';
  const buyer = await newBuyer(world, { gstin });
  await buyer.buy(0);
  const find = async (text: string) => {
    const { customers } = await readAsOperator(world.portal, 'owner', 'findCustomers', { text });
    return customers.map(({ id }) => id);
  };
  const [customerId = '', ...others] = await find(gstin);
  expect(others).toEqual([]);
  const cause = { actor: 'asha', reason: 'Mistyped' };
  await actAsOperator(world.portal, 'owner', 'changeGstin', { customerId, gstin: null }, cause);
  for (const text of [gstin, gstin.toLowerCase(), `GSTIN ${gstin}.`])
    expect(await find(text), text).toEqual([customerId]);
  // A part of it is looked for in what the customer has today.
  expect(await find(gstin.slice(0, 12))).toEqual([]);
});
