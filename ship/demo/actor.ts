import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { addCycle, type Cycle, endCycle } from '#shared/contract/cycles.ts';
import { activateProduct, activateService } from '#shared/contract/marketplace.ts';
import type { Day } from '#shared/domain/day.ts';
import type { Past } from './past.ts';
import type { PortalCustomer } from './portal-customer.ts';
import type { Roles } from './plan-roles.ts';

/** A customer of the demo and one activation; everything goes through the portal's own calls. */
export interface Actor {
  customer: PortalCustomer;
  activationId: string;
  keyIds: string[];
  /** Adds a subscription that starts on a day, or on the first free one after it, and pays it by default. Returns the cycle's id. */
  add: (planId: string, startDate: Day, pays?: boolean) => Promise<string>;
  end: (billingCycleId: string) => Promise<void>;
  makeKey: (keyName: string) => Promise<string>;
  cycles: () => Promise<Cycle[]>;
}

/** Activates a product with a plan, by default the one that it starts with by itself, and pays for it by default. */
export async function activate(
  customer: PortalCustomer,
  { productId: serviceId, startsFree, small }: Roles,
  planId?: string,
  pays = true,
): Promise<Actor> {
  const { activationId, billingCycleId, status } =
    planId === undefined && startsFree
      ? await customer.send(activateProduct, { params: { id: serviceId } })
      : await customer.send(activateService, { body: { serviceId, planId: planId ?? small } });
  if (status === 'pending' && pays && billingCycleId !== undefined) await customer.pay(billingCycleId);
  const actor: Actor = {
    customer,
    activationId,
    keyIds: [],
    add: async (plan, day, pay = true) => {
      const ends = (await actor.cycles()).filter(takesDays).map(({ toDate }) => toDate);
      // Later where the plan before is longer than that of the story.
      const startDate = [day, ...ends].toSorted().at(-1) ?? day;
      const added = await customer.send(addCycle, { params: { activationId, planId: plan }, body: { startDate } });
      const id = added.billingCycleId ?? '';
      if (added.status === 'pending' && pay) await customer.pay(id);
      return id;
    },
    end: async (billingCycleId) => void (await customer.send(endCycle, { params: { activationId, billingCycleId } })),
    makeKey: async (keyName) => {
      const { id } = await customer.send(createApiKey, { params: { activationId }, body: { keyName } });
      actor.keyIds.push(id);
      return id;
    },
    cycles: async () => {
      const { activations } = await customer.send(listActivations, {});
      return activations.find(({ id }) => id === activationId)?.billingCycles ?? [];
    },
  };
  return actor;
}

const takesDays = ({ status, phase }: Cycle): boolean =>
  (status === 'PAID' || status === 'NO_PAYMENT_REQUIRED') && phase !== 'over';

/** On a day, pays for a subscription that starts later, then waits for its start. */
export function prepay(past: Past, actor: () => Actor, planId: string, paidAgo: number, startsAgo: number): void {
  past.on(paidAgo, async () => void (await actor().add(planId, past.day(startsAgo))));
  if (startsAgo >= 0) past.awaitRound(startsAgo);
}
