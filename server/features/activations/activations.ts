import { productName } from '#catalog/catalog.ts';
import type { Activation, Deletion } from '#shared/contract/activations.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import { offsetOfEnd, refundOfEnd, transferOfEnd, withheldOfEnd } from '#shared/domain/cycle-end.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { refusedCalls } from '#shared/domain/refused-calls.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { countActiveKeys, revokeKeysOf } from '#server/features/api-keys/api-keys.ts';
import {
  createCycle,
  endCyclesOf,
  firstFreePlan,
  listCycleRecords,
  listCycles,
  type NewCycle,
  previewEnd,
  returnUnusedUnits,
} from '#server/features/cycles/cycles.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import { endLiveMandate, renewalEffect } from '#server/features/mandates/mandates.ts';
import { lockActivation, requireActivation } from '#server/features/ownership/ownership.ts';
import { quotaUse, readQuotaUse } from '#server/features/usage/usage.ts';
import { markOf } from '#server/images/product-images.ts';
import { underConstraints } from '#server/refusals/constraints.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { insertActivation, selectActivations, updateActivationDeleted } from './store.ts';

export { insertActivation } from './store.ts';

/** All activations of a customer, for the marketplace and the dashboards. */
export async function listActivations(portal: Portal, owner: Owner): Promise<Activation[]> {
  const today = dayOf(portal.clock());
  const rows = await selectActivations(owner, portal.db);
  if (rows.length === 0) return [];
  const [user, profile, cycles, quotaUsed] = await Promise.all([
    readUser(owner, portal.db),
    readProfile(owner, portal.db),
    listCycles(portal, owner, today),
    readQuotaUse(owner, portal.db, today),
  ]);
  return rows.map((row) => {
    const billingCycles = cycles.get(row.id) ?? [];
    const granting = billingCycles.filter(({ status }) => status === 'PAID' || status === 'NO_PAYMENT_REQUIRED');
    const running = granting.find((cycle) => cycle.phase === 'running');
    const used = quotaUsed.get(row.id) ?? { day: 0, cycle: 0 };
    const left = {
      daily: (running?.dailyQuota ?? 0) - used.day,
      monthly: (running?.monthlyQuota ?? 0) - used.cycle,
    };
    return {
      id: row.id,
      service: describeService(portal, row.service_id),
      customer: { id: user.id, fullName: profile?.legalName ?? user.name, phoneNumber: profile?.phone ?? '' },
      createdAt: row.created_at.toISOString(),
      billingStatus: billingCycles[0]?.billingStatus ?? 'PENDING',
      dailyUse: running ? quotaUse(used.day, running.dailyQuota) : null,
      callsRefused: refusedCalls(granting, left, today) ?? null,
      billingCycles,
    };
  });
}

/** The services a customer has activated, for the developer portal. */
export async function listActivatedServices(portal: Portal, owner: Owner) {
  const activations = await listActivations(portal, owner);
  return activations.map((activation) => ({
    id: activation.id,
    name: activation.service.name,
    mark: activation.service.mark,
    serviceId: activation.service.id,
    isActive: activation.dailyUse !== null,
    enabledAt: activation.createdAt,
    developerId: owner.customerId,
  }));
}

function describeService(portal: Portal, serviceId: string): Activation['service'] {
  const product = portal.catalog.find(serviceId);
  return {
    id: serviceId,
    name: productName(portal.catalog, serviceId),
    apiName: product?.apiName ?? productName(portal.catalog, serviceId),
    mark: markOf(product),
    supportClaim: product?.claims.support ?? null,
    baseUrl: product ? `${portal.settings.gatewayUrl}/${product.gatewayPath}` : null,
    hasSandbox: product?.sandbox !== undefined,
  };
}

/**
 * Activates a product. With a plan: its cycle starts today. Without one: the first trial or free plan that the customer has not used
 * yet; if there is none, no cycle yet (product §4.4).
 */
export async function activate(portal: Portal, owner: Owner, productId: string, planId?: string) {
  const now = portal.clock();
  const { result, effectiveBy } = await underConstraints(() =>
    changeAccess(portal, async (change) => {
      const { tx } = change;
      const product = (await catalogForSale(portal, tx)).find(productId);
      if (!product) throw refuse('not_found');
      const activationId = await insertActivation(owner, tx, product.id, new Date(now));
      const chosen = planId ?? (await firstFreePlan(owner, tx, product));
      const cycle: NewCycle | undefined =
        chosen === undefined
          ? undefined
          : await createCycle(portal, owner, change, { activationId, product, planId: chosen, startDate: dayOf(now) });
      return { activationId, cycle };
    }),
  );
  const { activationId, cycle } = result;
  if (!cycle) return { status: 'success' as const, activationId, effectiveBy };
  return { status: cycle.status, activationId, billingCycleId: cycle.billingCycleId, effectiveBy };
}

/** What deleting an activation would end, forfeit and refund (product §4.3). */
export async function previewDeletion(portal: Portal, owner: Owner, activationId: string): Promise<Deletion> {
  await requireActivation(owner, portal.db, activationId);
  const today: Day = dayOf(portal.clock());
  const records = await listCycleRecords(owner, portal.db, activationId);
  const endings = records.flatMap((record) => {
    const ended = previewEnd(record, today);
    return ended ? [ended] : [];
  });
  const running = endings.find((ending) => ending.kind === 'deactivate');
  return {
    runningPlan: running?.planName ?? null,
    unusedDays: running?.unusedDays ?? 0,
    unusedAmount: rupees(running?.unusedPaise ?? 0),
    unpaidCycles: endings.filter((ending) => ending.kind === 'remove').length,
    upcomingCycles: endings.filter((ending) => ending.kind === 'cancel').length,
    refundAmount: rupees(endings.reduce((sum, ending) => sum + refundOfEnd(ending), 0)),
    transferAmount: rupees(endings.reduce((sum, ending) => sum + transferOfEnd(ending), 0)),
    offsetAmount: rupees(endings.reduce((sum, ending) => sum + offsetOfEnd(ending), 0)),
    withheldAmount: rupees(endings.reduce((sum, ending) => sum + withheldOfEnd(ending), 0)),
    activeKeys: await countActiveKeys(owner, portal.db, activationId),
    ...(await renewalEffect(owner, portal.db, activationId, records, portal.clock())),
  };
}

/**
 * Deletes an activation: deactivates its plan, removes unpaid cycles, refunds upcoming ones and revokes its keys; history stays (product §4.3).
 * Returns the time by which every gateway refuses its keys; null when all of them do.
 */
export async function deleteActivation(portal: Portal, owner: Owner, activationId: string): Promise<string | null> {
  await returnUnusedUnits(portal.db, owner, activationId);
  const { effectiveBy } = await changeAccess(portal, async (change) => {
    if (!(await endActivation(portal, owner, change, activationId))) throw refuse('not_found');
  });
  return effectiveBy;
}

/** The same, in the transaction of its cause. False when the owner has no such activation. */
export async function endActivation(
  portal: Issuer,
  owner: Owner,
  change: AccessChange,
  activationId: string,
): Promise<boolean> {
  const { tx } = change;
  const now = new Date(portal.clock());
  if (!(await lockActivation(owner, tx, activationId))) return false;
  // First, so that no cycle that ends skips a debit. The database holds it (trigger `mandates_end_with_activation`).
  await endLiveMandate(portal, owner, tx, activationId, 'DELETION', now);
  await endCyclesOf(portal, owner, change, await listCycleRecords(owner, tx, activationId));
  await revokeKeysOf(owner, change, activationId, now);
  await updateActivationDeleted(owner, change, activationId, now);
  return true;
}
