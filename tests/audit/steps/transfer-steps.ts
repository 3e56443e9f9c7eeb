import { z } from 'zod';
import { declareTransferTds, payByTransfer } from '#shared/contract/bank-transfers.ts';
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

/** The customer says that it deducts tax from its transfers, once it has an account number. */
export const deduct = (percent: 2 | 10): Step => ({
  name: `declare that ${percent} % is deducted`,
  act: async (stage) => {
    const { activationId, customer } = stage;
    const body = { billingCycleIds: [boughtAt(stage, -1).cycleId] };
    await customer.send(payByTransfer, { params: { activationId }, body });
    await customer.send(declareTransferTds, { body: { declared: { tan: 'MUMA12345B', percent } } });
  },
});

const heldSchema = z.array(z.object({ paymentId: z.string() }));

/** The operator answers about the transfer that is held. */
export const answerHeld = (verb: 'settle' | 'refund'): Step => ({
  name: `${verb} the held transfer`,
  act: async ({ world }) => {
    const listed = await world.octroi('transfers', 'list', '--json');
    const [held] = heldSchema.parse(JSON.parse(listed.output));
    const { code, output } = await world.octroi(
      'transfers',
      verb,
      held?.paymentId ?? '',
      '--yes',
      '--reason',
      'Asked them',
    );
    if (code !== 0) throw new Error(`octroi transfers ${verb}: ${output}`);
  },
});

/** The operator refunds an amount of the subscription that was bought last. */
export const giveBack = (rupees: number, reason = 'A part'): Step => ({
  name: `refund ₹${rupees} by the operator`,
  act: async (stage) => {
    const of = [boughtAt(stage, -1).cycleId, '--amount', String(rupees)];
    const { code, output } = await stage.world.octroi('refund', ...of, '--yes', '--reason', reason);
    if (code !== 0) throw new Error(`octroi refund: ${output}`);
  },
});

/** The operator records a transfer to the provider's own account; `fails`: with this in the message. */
export const record = (rupees: number, utr: string, { fails }: { fails?: string } = {}): Step => ({
  name: `record a transfer of ₹${rupees}`,
  act: async (stage) => {
    const { customer, world, activationId } = stage;
    const { cycleId } = boughtAt(stage, -1);
    if (fails === undefined)
      await customer.send(payByTransfer, { params: { activationId }, body: { billingCycleIds: [cycleId] } });
    const transfer = ['--amount', String(rupees), '--utr', utr, '--on', await world.today()];
    const { code, output } = await world.octroi(
      'transfers',
      'record',
      cycleId,
      ...transfer,
      '--yes',
      '--reason',
      'Seen',
    );
    const isExpected = fails === undefined ? code === 0 : code !== 0 && output.includes(fails);
    if (!isExpected) throw new Error(`octroi transfers record: ${output}`);
  },
});
