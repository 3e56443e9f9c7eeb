import { changedCatalog } from '#catalog/test-catalog.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { buyPack } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { verifyPayment } from '#shared/contract/payments.ts';
import { dayOf } from '#shared/domain/day.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { startTestPortal } from '#server/test/portal.ts';

/** A portal whose plans have packs. The Tax Lookup API loses what is not used, the Invoicing System refunds it. Close it in afterAll. */
export async function startPackPortal() {
  const packs = JSON.stringify([
    { id: 'extra-1000', name: 'Extra 1000', units: 1000, price: 99 },
    { id: 'extra-200', name: 'Extra 200', units: 200, price: 25.5 },
  ]);
  const plans = { 'plans.growth.packs': packs, 'plans.free.packs': packs };
  const catalogDir = changedCatalog({
    'tax-lookup-api': plans,
    'invoicing-system': { ...plans, onDeactivate: 'refund-unused' },
  });
  const portal = await startTestPortal({ catalogDir });
  await portal.behave({ webhooks: { enabled: false } });

  const payFor = async (token: string, id: string): Promise<string> => (await portal.buy(token, id)).status;

  const withPlan = async (planId: string, service = 'tax-lookup-api') => {
    const token = await portal.newCustomer();
    const activated = await portal.ask(activatePlan, { params: { id: service, planId } }, token);
    const { activationId, billingCycleId: cycleId = '' } = activated;
    if (planId !== 'free') await payFor(token, cycleId);
    const order = async (packId = 'extra-1000') =>
      (await portal.ask(buyPack, { params: { activationId, packId } }, token)).billingCycleId;
    const running = async () => {
      const [activation] = (await portal.ask(listActivations, {}, token)).activations;
      return activation?.billingCycles.find(({ id }) => id === cycleId);
    };
    return { token, activationId, cycleId, order, running };
  };

  return {
    ...portal,
    today: () => dayOf(portal.portal.clock()),
    /** Pays for a cycle or pack: returns the status of the payment. */
    payFor,
    /** Pays an order: returns the status of the payment. */
    verify: async (token: string, orderId: string): Promise<string> =>
      (await portal.ask(verifyPayment, { body: await portal.checkOut(orderId) }, token)).status,
    /** A new customer with a plan that runs. */
    withPlan,
    /** What the whole ledger says of everything that the tests did. */
    faults: async () => (await verifyLedgerOf(portal.portal.db)).faults,
  };
}

export type PackPortal = Awaited<ReturnType<typeof startPackPortal>>;
