import { buyPack } from '#shared/contract/cycles.ts';
import { boughtAt, payAtRazorpay, prepare, report, type Stage, type Step } from './stage.ts';

async function order(stage: Stage, packId: string): Promise<void> {
  const { customer, activationId } = stage;
  const { billingCycleId } = await customer.send(buyPack, { params: { activationId, packId } });
  stage.bought.push({ cycleId: billingCycleId, orderId: '', payments: [] });
  await prepare(stage, boughtAt(stage, -1));
}

/** Orders a pack for the running plan and opens its checkout, without paying. */
export const orderPack = (packId: string): Step => ({
  name: `order the pack ${packId}`,
  act: (stage) => order(stage, packId),
});

/** Buys a pack for the running plan, and pays for it in the checkout. */
export const buyPackOf = (packId: string): Step => ({
  name: `buy the pack ${packId}`,
  act: async (stage) => {
    await order(stage, packId);
    await payAtRazorpay(stage, boughtAt(stage, -1));
    await report(stage, boughtAt(stage, -1));
  },
});
