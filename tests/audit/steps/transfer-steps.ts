import { z } from 'zod';
import { payByTransfer } from '#shared/contract/payments.ts';
import { paise } from '#tests/audit/sums/arithmetic.ts';
import { boughtAt, type Stage, type Step } from './stage.ts';

const accountsSchema = z.array(
  z.object({ id: z.string(), receivers: z.array(z.object({ account_number: z.string() })) }),
);

async function accountIn(stage: Stage, number: string): Promise<string> {
  const accounts = accountsSchema.parse(await stage.world.razorpay('GET', '/standin/virtual_accounts'));
  const found = accounts.find(({ receivers }) => receivers.some((each) => each.account_number === number));
  if (found === undefined) throw new Error(`Razorpay has no account number ${number}`);
  return found.id;
}

/** The customer asks for its account number to pay a subscription, and transfers amounts in rupees to it. */
export const transfer = (...amounts: readonly number[]): Step => ({
  name: `transfer ₹${amounts.join(' and ₹')}`,
  act: async (stage) => {
    const { activationId, customer, world } = stage;
    const body = { billingCycleIds: [boughtAt(stage, -1).cycleId] };
    const { account } = await customer.send(payByTransfer, { params: { activationId }, body });
    const path = `/standin/virtual_accounts/${await accountIn(stage, account.number)}/credit`;
    for (const rupees of amounts) await world.razorpay('POST', path, { amount: paise(rupees) });
  },
});
