import { createFairQueue } from '#platform/fair-queue.ts';
import { refuse } from '#server/refusals/refuse.ts';

/**
 * Runs the work when it is the owner's turn. The owner's next piece waits until `over` of the result has resolved too, which doesn't hold up other
 * owners. Throws too_many_requests when too much of the owner's work waits already.
 */
export type TakeTurn = <Result>(
  owner: string,
  work: () => Promise<Result>,
  over?: (result: Result) => Promise<void>,
) => Promise<Result>;

/** Runs at most `atOnce` pieces of work at the same time, and one of each owner; of each owner at most `waiting` wait. */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): TakeTurn {
  const queue = createFairQueue<string, () => void>();
  const busy = new Set<string>();
  let running = 0;
  const startNext = (): void => {
    if (running < atOnce) queue.take((owner) => !busy.has(owner))?.();
  };
  return async (owner, work, over = async () => undefined) => {
    if (queue.sizeOf(owner) >= waiting) throw refuse('too_many_requests');
    await new Promise<void>((resolve) => {
      queue.push(owner, () => {
        running += 1;
        busy.add(owner);
        resolve();
      });
      startNext();
    });
    const free = (): void => {
      busy.delete(owner);
      startNext();
    };
    try {
      const result = await work();
      void over(result).finally(free);
      return result;
    } catch (error) {
      free();
      throw error;
    } finally {
      running -= 1;
      startNext();
    }
  };
}
