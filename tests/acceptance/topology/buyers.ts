import { setTimeout as sleep } from 'node:timers/promises';
import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile, type PortalCustomer, type PortalPlace, signInCustomer } from '#ship/demo/portal-customer.ts';
import type { Callers } from './callers.ts';
import type { Topology } from './topology.ts';

/** Customers who buy plans through nginx, like the pages do. */
export interface Buyers {
  /** Buys a plan and makes a key. Starts again from the sign-in whenever a call fails, like a person who reloads the page. */
  buy: (name: string) => Promise<{ activationId: string; key: string }>;
  /** One customer after the other buys, until `stop` has resolved with how many have. */
  begin: () => { stop: () => Promise<number> };
}

const product = 'tax-lookup-api';
/** 50 calls a second, 20,000 a day. */
const planId = 'scale';
const giveUpAfterMs = 180_000;

export function createBuyers(topology: Topology, callers: Callers): Buyers {
  const { googleUrl, razorpayUrl } = topology;
  // An attempt whose response was lost may have made its key.
  let keyNames = 0;
  const portalUrl = `https://portal.example.in:${topology.port}`;
  const place: PortalPlace = {
    portalUrl,
    gatewayUrl: '',
    googleUrl,
    razorpayUrl,
    fetchPortal: async (url, init) => {
      const path = url.slice(portalUrl.length);
      const { status, text } = await callers.send('portal.example.in', {
        ...init,
        what: `${init.method} ${path}`,
        path,
      });
      if (status === 0) throw new Error(text);
      return new Response(text, { status });
    },
  };
  const attempt = async (name: string): Promise<{ activationId: string; key: string }> => {
    const claims = { sub: name, name, email: `${name}@kaveri.example.in` };
    const customer = await signInCustomer(place, { claims });
    const { activationId, billingCycleId } = (await boughtBefore(customer)) ?? (await order(customer));
    if (billingCycleId !== undefined) await customer.pay(billingCycleId);
    const { apiKey } = await customer.send(createApiKey, {
      params: { activationId },
      body: { keyName: (keyNames += 1).toString(36) },
    });
    return { activationId, key: apiKey };
  };
  const buy: Buyers['buy'] = async (name) => {
    const deadline = performance.now() + giveUpAfterMs;
    for (;;) {
      try {
        return await attempt(name);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(250);
      }
    }
  };
  return {
    buy,
    begin: () => {
      const state = { stopped: false, bought: 0 };
      const rounds = (async () => {
        for (; !state.stopped; state.bought += 1) await buy(`buyer-${state.bought}`);
      })();
      return {
        stop: async () => {
          state.stopped = true;
          await rounds;
          return state.bought;
        },
      };
    },
  };
}

/** What an earlier attempt has left: an activation, and the plan if it is still unpaid. */
async function boughtBefore(customer: PortalCustomer) {
  const { activations } = await customer.send(listActivations, {});
  const [activation] = activations;
  if (activation === undefined) return undefined;
  const unpaid = activation.billingCycles.find(({ status }) => status !== 'PAID');
  return { activationId: activation.id, billingCycleId: unpaid?.id };
}

async function order(customer: PortalCustomer) {
  await giveProfile(customer);
  return customer.send(activateService, { body: { serviceId: product, planId } });
}
