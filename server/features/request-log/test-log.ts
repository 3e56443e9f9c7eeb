import type { z } from 'zod';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { listRequests } from '#shared/contract/request-log.ts';
import type { LoggedCall } from '#shared/domain/logged-call.ts';
import type { CallOutcome } from '#shared/domain/metering.ts';
import { readRequestId } from '#shared/domain/request-id.ts';
import { postgresWriter } from '#shared/request-log/postgres-writer.ts';
import { SampleBatch } from '#shared/request-log/sample-batch.ts';
import type { TestPortal } from '#server/test/portal.ts';

/** Logs as a gateway writes them, for tests of the portal. */

let calls = 0;
/** Ids in ascending order of creation. */
export function nextId(): string {
  calls += 1;
  const bytes = new Uint8Array(15);
  new DataView(bytes.buffer).setUint32(0, calls);
  return readRequestId(bytes, 0);
}

const defaultPath = '/tax-lookup/v1/gstin/27**********1ZV';
export const isCounted = (reason: CallOutcome): boolean => reason === 'answered' || reason === 'judged';

type WrittenCall = Pick<LoggedCall, 'requestId' | 'at' | 'status' | 'reason' | 'problem'> & { path?: string };

/** A row with calls of one day. */
export async function writeBatch(
  { owner }: Pick<TestPortal, 'owner'>,
  of: readonly WrittenCall[],
  activationId: string,
  keyId: string,
  unlisted: Record<string, number> = {},
): Promise<void> {
  const calls = of.map((call) => ({
    path: defaultPath,
    ...call,
    method: 'GET',
    latencyMs: 12,
    units: Number(isCounted(call.reason)),
  }));
  await postgresWriter(owner.pool).append([new SampleBatch({ activationId, keyId }, calls, unlisted)]);
}

/** A customer with two keys, and a log as a gateway could have written it. */
export async function withLog(portal: TestPortal) {
  const token = await portal.newCustomer();
  const { activationId, billingCycleId = '' } = await portal.ask(
    activateProduct,
    { params: { id: 'tax-lookup-api' } },
    token,
  );
  const make = (keyName: string, isTest: boolean) =>
    portal.ask(createApiKey, { params: { activationId }, body: { keyName, isTest } }, token);
  const [live, trial] = [await make('live', false), await make('trial', true)];
  // One time for all rows: their order doesn't depend on how fast they are written.
  const now = portal.portal.clock();
  const log = async (
    status: number,
    reason: CallOutcome,
    agoMs: number,
    keyId = live.id,
    more: Pick<WrittenCall, 'problem' | 'path'> = {},
  ) => {
    const requestId = nextId();
    const at = now - agoMs;
    await writeBatch(portal, [{ requestId, at, status, reason, ...more }], activationId, keyId);
    return requestId;
  };
  const read = (query: z.input<typeof listRequests.query> = {}) =>
    portal.ask(listRequests, { params: { activationId }, query }, token);
  return { token, activationId, cycleId: billingCycleId, live, trial, log, read };
}
