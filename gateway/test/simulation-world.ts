import { type Catalog } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import type { CatalogOperation } from '#catalog/operations.ts';
import type { CallCost } from '#shared/domain/operation.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type SimulationUpstream, startSimulationUpstream } from './simulation-upstream.ts';
import { type Harness, openHarness, startTestGateway } from './world.ts';

/** Test calls per customer and day. */
export const testCallsPerDay = 6;

/** The operations of the simulated API, by the word in their paths: `/v1/bulk/200/0`. */
export const operationNames = ['do', 'bulk', 'free', 'found', 'extra'] as const;

/** What they cost on the plans of some customers, which do not include `extra`. */
export const operationCosts: Record<string, CallCost> = {
  bulk: { units: 7 },
  free: { units: 0 },
  found: { units: 2, counts: ['2xx'] },
};

const operations: CatalogOperation[] = operationNames.flatMap((id) =>
  (['GET', 'POST'] as const).flatMap((method) =>
    [`/v1/${id}/{status}/{ms}`, `/v1/${id}/{status}/{ms}/{how}`].map((path) => ({
      id,
      name: id,
      method,
      path,
      units: 1,
    })),
  ),
);

/** A gateway that can be restarted; `generation` grows with each restart. */
export interface Slot {
  url: string;
  generation: number;
  running: boolean;
  restart: () => Promise<void>;
}

export interface SimulationWorld {
  harness: Harness;
  live: SimulationUpstream;
  sandbox: SimulationUpstream;
  slots: readonly Slot[];
  close: () => Promise<void>;
}

function catalogWithSandbox(): Catalog {
  const products = readCatalog(projectFolder('ship', 'standins', 'catalog')).products.map((product) => ({
    ...product,
    metered: operations,
    sandbox: { upstreamUrl: product.upstreamUrl, dailyCalls: testCallsPerDay },
  }));
  return { products, guides: [], find: (id) => products.find((each) => each.id === id || each.aliases.includes(id)) };
}

/** Three gateways in front of one API and its sandbox. The first one keeps running; the others are restarted during the simulation. */
export async function openSimulationWorld(): Promise<SimulationWorld> {
  const [live, sandbox] = [await startSimulationUpstream(), await startSimulationUpstream()];
  const env = { TEST_KEY_RPS: '5000' };
  const options = { env, upstream: live.url, sandbox: sandbox.url, catalog: catalogWithSandbox() };
  const harness = await openHarness(options);
  const gateways: Gateway[] = [];
  const slots: Slot[] = [{ url: harness.gateway.url, generation: 0, running: true, restart: async () => {} }];
  for (const [index, name] of ['second', 'third'].entries()) {
    const start = (): Promise<Gateway> =>
      startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${name}` }, options);
    const gateway = await start();
    gateways[index] = gateway;
    const slot: Slot = {
      url: gateway.url,
      generation: 0,
      running: true,
      restart: async () => {
        if (!slot.running) return;
        slot.running = false;
        slot.generation += 1;
        await gateways[index]?.close();
        const next = await start();
        gateways[index] = next;
        slot.url = next.url;
        slot.running = true;
      },
    };
    slots.push(slot);
  }
  const close = async (): Promise<void> => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await harness.close();
    await live.close();
    await sandbox.close();
  };
  return { harness, live, sandbox, slots, close };
}
