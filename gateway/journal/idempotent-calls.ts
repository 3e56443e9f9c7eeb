import type { Pool } from 'pg';
import { countIdempotent, type IdempotentCall } from './store.ts';

/** A call with an Idempotency-Key whose response waits until the database says whether it counts (decision 025). */
export interface PendingDecision {
  call: IdempotentCall;
  /** Called once: with the decision, or never if the database doesn't answer while this process lives. */
  decided: (counted: boolean) => void;
  /** Called at most once, before `decided`: the decision takes too long for the caller to wait. */
  late: () => void;
}

/**
 * Asks the database which responses to calls with an Idempotency-Key count. Only the database knows them all: the first call may have
 * gone through another gateway, or through one that was killed. Calls that come while a statement is under way share the next one.
 */
export interface IdempotentCalls {
  decide: (awaited: PendingDecision) => void;
  /** Sends what waits, as one statement; a statement whose fate is unknown is sent again as it was. Rejects if the database doesn't take it. */
  send: () => Promise<void>;
  /** Tells the calls that have waited for too long. */
  sweep: () => void;
  /** Is there nothing to send? */
  isEmpty: () => boolean;
}

const longestWaitMs = 2000;
const mostAtOnce = 500;

interface Waiting extends PendingDecision {
  sinceMs: number;
  isLate: boolean;
}

/** `runCounting`: something waits; send it soon. */
export function createIdempotentCalls(pool: Pool, journalId: string, runCounting: () => void): IdempotentCalls {
  let waiting: Waiting[] = [];
  let sent: Waiting[] = [];

  return {
    decide: (awaited) => {
      waiting.push({ ...awaited, sinceMs: performance.now(), isLate: false });
      runCounting();
    },
    send: async () => {
      while (sent.length > 0 || waiting.length > 0) {
        if (sent.length === 0) sent = waiting.splice(0, mostAtOnce);
        const counted = await countIdempotent(
          pool,
          journalId,
          sent.map(({ call }) => call),
        );
        const decided = sent;
        sent = [];
        for (const each of decided) each.decided(counted.has(each.call.id));
      }
    },
    sweep: () => {
      const tooOld = performance.now() - longestWaitMs;
      for (const each of [...sent, ...waiting]) {
        if (each.isLate || each.sinceMs >= tooOld) continue;
        each.isLate = true;
        each.late();
      }
    },
    isEmpty: () => sent.length === 0 && waiting.length === 0,
  };
}
