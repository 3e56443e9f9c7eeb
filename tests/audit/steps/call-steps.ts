import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { readUsage } from '#shared/contract/usage.ts';
import type { Stage, Step } from './stage.ts';

const invoice = {
  supplier: { gstin: '27ZZZCA0001A1Z4' },
  recipient: { stateCode: '27' },
  document: { number: 'TPX/26-27/000001', date: '2026-11-02' },
  items: [{ description: 'API access', hsn: '998319', unitPrice: 999, gstRate: 18 }],
};

/** Computes an invoice through the gateway. */
function compute(stage: Stage, key: string): Promise<Response> {
  return fetch(`${stage.world.place.gatewayUrl}/gst-invoicing/v1/invoices/compute`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(invoice),
  });
}

const unitsRow = z.object({ counted: z.number(), calls: z.number(), taken: z.number() });
/** Units of the activation by the usage that is counted, and by its quotas. */
const unitsText = `select
  (select coalesce(sum(units), 0)::int from usage_counts where activation_id = $1 and counted) as counted,
  (select coalesce(sum(calls), 0)::int from usage_counts where activation_id = $1 and counted) as calls,
  (select coalesce(sum(q.taken), 0)::int from quota_counters q join cycles c on q.kind = 'cycle' and c.id = q.scope_id where c.activation_id = $1) as taken`;

/** Waits until the gateway has had everything counted and has returned the units that it held in advance. */
async function unitsOf({ world, activationId }: Stage, units: number): Promise<z.output<typeof unitsRow> | undefined> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const [row] = await world.rows(unitsRow, unitsText, [activationId]);
    if ((row?.counted === units && row.taken === units) || Date.now() > deadline) return row;
    await sleep(200);
  }
}

function demand(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** Makes calls that cost several units each. Usage, quotas and the customer's page must agree about them to the unit. */
export const makeCalls = (calls: number, { units, quota }: { units: number; quota: number }): Step => ({
  name: `make ${calls} calls of ${units} units`,
  act: async (stage) => {
    const { customer, activationId, world } = stage;
    await world.startGateway();
    const { apiKey } = await customer.send(createApiKey, {
      params: { activationId },
      body: { keyName: 'audit', isTest: false },
    });
    for (let call = 1; call <= calls; call += 1) {
      const response = await compute(stage, apiKey);
      demand(`call ${call}`, [response.status, response.headers.get('octroi-units')], [200, String(units)]);
      await response.body?.cancel();
    }
    const used = calls * units;
    if (quota - used < units) {
      const refused = await compute(stage, apiKey);
      demand('a call beyond the quota', refused.status, 429);
      await refused.body?.cancel();
    }
    demand('units in the database', await unitsOf(stage, used), { counted: used, calls, taken: used });
    const { insights } = await customer.send(readUsage, { params: { activationId } });
    demand(
      'units on the page of the customer',
      [insights.inUnits, insights.monthlyUse.quotaUsed, insights.monthlyUse.quotaLimit],
      [true, used, quota],
    );
  },
});
