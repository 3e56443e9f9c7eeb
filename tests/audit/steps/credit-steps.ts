import { z } from 'zod';
import { payLater } from '#shared/contract/credit.ts';
import { boughtAt, type Stage, type Step } from './stage.ts';

const step = (name: string, act: Step['act']): Step => ({ name, act });

async function octroi({ world }: Stage, ...args: string[]): Promise<string> {
  const { code, output } = await world.octroi(...args);
  if (code !== 0) throw new Error(`octroi ${args.join(' ')}: ${output}`);
  return output;
}

/** The operator lets the customer pay later. */
export const allowLater = (limit: number, days: number, stopAfter: number): Step =>
  step(`terms of ₹${limit} and ${days} days`, async (stage) => {
    const [customer] = await stage.world.rows(z.object({ id: z.string() }), 'select id from customers');
    const terms = ['--limit', String(limit), '--days', String(days), '--stop-after', String(stopAfter)];
    await octroi(stage, 'customers', 'terms', customer?.id ?? '', ...terms, '--yes', '--reason', 'Contract 7');
  });

/** The customer begins the subscription that was ordered last, and pays it later. */
export const beginLater: Step = step('begin now, pay later', async (stage) => {
  const { customer, activationId } = stage;
  const body = { billingCycleId: boughtAt(stage, -1).cycleId };
  await customer.send(payLater, { params: { activationId }, body });
});

/** The operator writes off the bill of the subscription that was ordered last. */
export const writeOff: Step = step('write the bill off', async (stage) => {
  const { cycleId } = boughtAt(stage, -1);
  await octroi(stage, 'customers', 'write-off', cycleId, '--yes', '--reason', 'In liquidation');
});

/** The operator transfers the refund that waits for it from the own bank account. */
export const transferRefund = (utr: string): Step =>
  step('transfer the refund', async (stage) => {
    const [refund] = await stage.world.rows(
      z.object({ id: z.string() }),
      "select id from refunds where payout = 'TRANSFER' and status <> 'PROCESSED'",
    );
    const transfer = ['--utr', utr, '--on', await stage.world.today()];
    await octroi(stage, 'refunds', 'transferred', refund?.id ?? '', ...transfer, '--yes', '--reason', 'Sent');
  });
