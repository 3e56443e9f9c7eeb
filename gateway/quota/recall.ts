import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A gateway that finds nothing left asks those that hold some to give back what they do not use, and waits until all of
 * them have answered. On the channel `quota`: `recall <request> <activation>`, answered by `returned <request> <journal>`.
 */
export interface Recalls {
  /** Names a new request; its answers are collected from now on. */
  begin: () => string;
  /** Waits until these journals have answered; false when one has taken too long. */
  answered: (request: string, journals: readonly string[]) => Promise<boolean>;
  end: (request: string) => void;
  /** Hears an answer. */
  hear: (request: string, journal: string) => void;
}

/** A busy gateway may need long; a silent one is taken off the list of the living, and then nobody waits for it. */
const patienceMs = 1500;

export function createRecalls(journalId: string): Recalls {
  const open = new Map<string, Set<string>>();
  let requests = 0;
  return {
    begin: () => {
      requests += 1;
      const request = `${journalId}/${requests}`;
      open.set(request, new Set());
      return request;
    },
    answered: async (request, journals) => {
      const deadline = performance.now() + patienceMs;
      const missing = (): boolean => journals.some((journal) => open.get(request)?.has(journal) === false);
      while (missing() && performance.now() < deadline) await sleep(2);
      return !missing();
    },
    end: (request) => void open.delete(request),
    hear: (request, journal) => void open.get(request)?.add(journal),
  };
}
