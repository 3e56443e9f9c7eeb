import { listAllHistory } from '#shared/contract/invoices.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { boughtAt, type Stage, type Step } from './stage.ts';

const certificate = Buffer.from('%PDF-1.7 certificate of the audit').toString('base64');

/** The customer declares tax that it deducted from a subscription's price, in rupees. */
export const declareDeduction = (amount: number, quarter: string, which = -1): Step => ({
  name: `declare TDS of ${amount}`,
  act: async (stage) => {
    const params = { billingCycleId: boughtAt(stage, which).cycleId };
    const body = { tan: 'MUMA12345B', amount, quarter, name: 'form-16a.pdf', certificate };
    await stage.customer.send(declareTds, { params, body });
  },
});

async function operate(stage: Stage, which: number, verb: 'accept' | 'refuse', reason: string) {
  const { entries } = await stage.customer.send(listAllHistory, {});
  const claim = entries.find(({ id }) => id === boughtAt(stage, which).cycleId)?.tds?.claim;
  return stage.world.octroi('tds', verb, claim?.id ?? '', '--yes', '--reason', reason);
}

/** The operator accepts the newest claim of a subscription; `fails`: with this in the message. */
export const acceptDeduction = ({ which = -1, fails }: { which?: number; fails?: string } = {}): Step => ({
  name: 'accept the TDS claim',
  act: async (stage) => {
    const { code, output } = await operate(stage, which, 'accept', 'In Form 26AS');
    const isExpected = fails === undefined ? code === 0 : code !== 0 && output.includes(fails);
    if (!isExpected) throw new Error(`octroi tds accept: ${output}`);
  },
});

/** The operator refuses it. */
export const refuseDeduction = (which = -1): Step => ({
  name: 'refuse the TDS claim',
  act: async (stage) => {
    const { code, output } = await operate(stage, which, 'refuse', 'The certificate names another deductee.');
    if (code !== 0) throw new Error(`octroi tds refuse: ${output}`);
  },
});
