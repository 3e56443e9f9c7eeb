import { createFairQueue } from '#shared/platform/fair-queue.ts';
import { refuse } from '#server/refusals/refuse.ts';

/**
 * Runs the work when it is the owner's turn. Its place among the owner's work is free once `over` of the result has resolved too, which holds
 * up no other owner. Throws too_many_requests when too much of the owner's work waits already.
 */
export type TakeTurn = <Result>(
  owner: string,
  work: () => Promise<Result>,
  over?: (result: Result) => Promise<void> | undefined,
) => Promise<Result>;

interface Bounds {
  /** Pieces of work of all owners that run at the same time; unlimited by default. */
  atOnce?: number;
  /** Pieces of one owner's work that run at the same time. */
  ofOwner: number;
  /** Pieces of one owner's work that wait. */
  waiting: number;
}

/** Runs work within bounds; owners with work that waits take turns. */
export function createTurns({ atOnce = Number.POSITIVE_INFINITY, ofOwner, waiting }: Bounds): TakeTurn {
  const queue = createFairQueue<string, () => void>();
  /** Places that each owner has taken, of work that runs or is not over. */
  const taken = new Map<string, number>();
  const takenBy = (owner: string): number => taken.get(owner) ?? 0;
  let running = 0;
  const startNext = (): void => {
    if (running < atOnce) queue.take((owner) => takenBy(owner) < ofOwner)?.();
  };
  const free = (owner: string): void => {
    const left = takenBy(owner) - 1;
    if (left === 0) taken.delete(owner);
    else taken.set(owner, left);
    startNext();
  };
  return async (owner, work, over) => {
    if (queue.sizeOf(owner) >= waiting) throw refuse('too_many_requests');
    await new Promise<void>((resolve) => {
      queue.push(owner, () => {
        running += 1;
        taken.set(owner, takenBy(owner) + 1);
        resolve();
      });
      startNext();
    });
    let isOver: Promise<void> | undefined;
    try {
      const result = await work();
      isOver = over?.(result);
      return result;
    } finally {
      running -= 1;
      if (isOver === undefined) free(owner);
      else {
        void isOver.finally(() => free(owner));
        startNext();
      }
    }
  };
}
