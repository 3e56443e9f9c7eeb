import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { listDocuments } from '#shared/contract/documents.ts';
import type { Stage, Step } from './stage.ts';

const withinMs = 60_000;

/** Waits until a condition holds. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what}: not so after ${withinMs / 1000} s`);
    await sleep(200);
  }
}

const documentsOf = async ({ customer }: Stage) => (await customer.send(listDocuments, {})).documents;
const soonRow = z.unknown();

/** Jobs that wait for their next attempt run now, as if the time had passed. */
const hurryJobs = ({ world }: Stage) =>
  world.rows(soonRow, `update pgboss.job set start_after = now() where state in ('created', 'retry')`);

/** Exactly so many documents are registered at the invoice portal in the end. */
export const registrations = (count: number): Step => ({
  name: `${count} registrations`,
  act: async (stage) => {
    await until(`${count} documents are registered`, async () => {
      await hurryJobs(stage);
      return (await documentsOf(stage)).filter(({ irn }) => irn !== null).length >= count;
    });
    const found = (await documentsOf(stage)).filter(({ irn }) => irn !== null).length;
    if (found !== count) throw new Error(`${found} documents are registered`);
  },
});

export const registrationIs = (outcome: 'refused'): Step => ({
  name: `the registration is ${outcome}`,
  act: (stage) =>
    until('the invoice portal has refused', async () => {
      await hurryJobs(stage);
      return (await documentsOf(stage)).some(({ refused }) => refused !== null);
    }),
});

async function newestInvoice(stage: Stage): Promise<string> {
  const invoice = (await documentsOf(stage)).find(({ kind }) => kind === 'INVOICE');
  if (invoice === undefined) throw new Error('there is no invoice');
  return invoice.number;
}

const operator = async (stage: Stage, verb: 'cancel' | 'retry', reason: string, ...options: string[]) => {
  const why = ['--reason', reason, '--yes', ...options];
  const { code, output } = await stage.world.octroi('e-invoices', verb, await newestInvoice(stage), ...why);
  if (code !== 0) throw new Error(output);
};

/** The operator cancels the registration of the newest invoice. */
export const cancelEInvoice: Step = {
  name: 'cancel the registration',
  act: (stage) => operator(stage, 'cancel', 'Wrong name', '--because', 'data-entry-mistake'),
};
/** The operator lets the portal register a refused invoice again. */
export const retryEInvoice: Step = {
  name: 'retry the registration',
  act: (stage) => operator(stage, 'retry', 'The cause is mended'),
};
