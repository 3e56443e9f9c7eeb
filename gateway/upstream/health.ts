import type { Product } from '#catalog/catalog.ts';
import type { Log } from '#shared/platform/log.ts';

export interface HealthWatch {
  /** Ids of products whose last health check failed, sorted. */
  failing: () => string[];
  close: () => Promise<void>;
}

/**
 * Asks every product that has a health path, regularly. A failing product is logged once, and once more when it is back. Calls are still
 * forwarded to it: its own responses say best what is wrong. `read`: a product's document, relative to its base path; checks fail on any
 * other status than 2xx.
 */
export function watchHealth(
  products: readonly Product[],
  read: (productId: string, path: string) => Promise<{ status: number }>,
  log: Log,
): HealthWatch {
  const failing = new Set<string>();
  const running = new Set<Promise<void>>();
  const check = async (productId: string, path: string): Promise<void> => {
    const reason = await read(productId, path).then(
      ({ status }) => (status >= 200 && status < 300 ? undefined : `status ${status}`),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (reason === undefined) {
      if (failing.delete(productId)) log.info({ product: productId }, 'a product passes its health check again');
    } else if (!failing.has(productId)) {
      failing.add(productId);
      log.error({ product: productId, reason }, 'a product fails its health check');
    }
  };
  const timers = products.flatMap(({ id, gateway: { health } }) => {
    if (health === undefined) return [];
    let busy = false;
    const run = (): void => {
      // A slow check must not pile up behind the next one.
      if (busy) return;
      busy = true;
      const checking = check(id, health.path).finally(() => {
        busy = false;
        running.delete(checking);
      });
      running.add(checking);
    };
    run();
    return [setInterval(run, health.everySeconds * 1000)];
  });
  return {
    failing: () => [...failing].toSorted(),
    close: async () => {
      timers.forEach(clearInterval);
      await Promise.all(running);
    },
  };
}
