import { createFairQueue } from '#platform/fair-queue.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** Runs the work when it is the owner's turn. Throws too_many_requests when too much of the owner's work waits already. */
export type TakeTurn = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

/** Runs at most `atOnce` pieces of work at the same time, and one of each owner; of each owner at most `waiting` wait. */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): TakeTurn {
  const queue = createFairQueue<string, () => void>();
  const running = new Set<string>();
  const startNext = (): void => {
    if (running.size < atOnce) queue.take((owner) => !running.has(owner))?.();
  };
  return async (owner, work) => {
    if (queue.sizeOf(owner) >= waiting) throw refuse('too_many_requests');
    await new Promise<void>((resolve) => {
      queue.push(owner, () => {
        running.add(owner);
        resolve();
      });
      startNext();
    });
    try {
      return await work();
    } finally {
      running.delete(owner);
      startNext();
    }
  };
}
