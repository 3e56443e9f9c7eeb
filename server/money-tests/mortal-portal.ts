import type { KyselyPlugin } from 'kysely';
import type { Portal } from '#server/portal.ts';

/** The process is dead: nothing more of it reaches the database or the provider. */
class Killed extends Error {}

/**
 * The same portal in a process that is killed: it dies before its nth statement or request to the provider, or once that request has taken effect, and
 * all that it still tries fails. Its open transaction is rolled back, as PostgreSQL does when a connection breaks.
 */
export function mortalPortal(
  portal: Portal,
  lives: number,
  die = (): never => {
    throw new Killed('the process was killed');
  },
): { portal: Portal; isDead: () => boolean } {
  let left = lives;
  const breathe = (): void => {
    if (left <= 0) die();
    left -= 1;
  };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      breathe();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const razorpay = new Proxy(portal.razorpay, {
    get: (target, name, receiver) => {
      const call: unknown = Reflect.get(target, name, receiver);
      if (typeof call !== 'function') return call;
      return (...asked: unknown[]) => {
        breathe();
        const result: unknown = Reflect.apply(call, target, asked);
        if (!(result instanceof Promise)) return result;
        return result.then((response: unknown) => {
          breathe();
          return response;
        });
      };
    },
  });
  return { portal: { ...portal, db: portal.db.withPlugin(plugin), razorpay }, isDead: () => left <= 0 };
}
