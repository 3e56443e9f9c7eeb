import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A gateway that finds no quota left asks the holders of leases to return unused units, and waits for their replies. Messages on the
 * channel `quota`: `recall <request> <activation>`, with the reply `returned <request> <journal>`.
 */
export interface Recalls {
  /** Creates a request id and starts collecting its replies. */
  open: () => string;
  /** Resolves to true when all these journals have replied, to false after a timeout. */
  waitForReplies: (request: string, journals: readonly string[]) => Promise<boolean>;
  close: (request: string) => void;
  addReply: (request: string, journal: string) => void;
}

/** @param timeoutMs long enough for a busy gateway; a dead one loses its membership lease, and recalls no longer wait for it; `wait`: another passing of time, for tests */
export function createRecalls(
  journalId: string,
  timeoutMs: number,
  wait: (ms: number) => Promise<unknown> = sleep,
): Recalls {
  const replies = new Map<string, Set<string>>();
  let requests = 0;
  return {
    open: () => {
      requests += 1;
      const request = `${journalId}/${requests}`;
      replies.set(request, new Set());
      return request;
    },
    waitForReplies: async (request, journals) => {
      const deadline = performance.now() + timeoutMs;
      const missing = (): boolean => journals.some((journal) => replies.get(request)?.has(journal) === false);
      while (missing() && performance.now() < deadline) await wait(2);
      return !missing();
    },
    close: (request) => void replies.delete(request),
    addReply: (request, journal) => void replies.get(request)?.add(journal),
  };
}
