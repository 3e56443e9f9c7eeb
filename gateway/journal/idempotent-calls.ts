import type { Pool } from 'pg';
import { countIdempotent, type IdempotentCall } from './store.ts';

/** A call with an Idempotency-Key whose response waits until the database says whether it counts (decision 025). */
export interface PendingDecision {
  call: IdempotentCall;
  /** Called at most once, when the database has decided. */
  decided: (counted: boolean) => void;
  /** Called at most once, before `decided`, if the caller has waited for too long. */
  late: () => void;
}

/**
 * Asks the database which responses to calls with an Idempotency-Key count. Only the database knows them all: the first call may have
 * gone through another gateway, or one that was killed since. Calls that arrive while a statement runs share the next one.
 */
export interface IdempotentCalls {
  decide: (pending: PendingDecision) => void;
  /** Sends waiting calls as one statement. Rejects if it fails; the same statement is then sent again, since it may have succeeded. */
  send: () => Promise<void>;
  /** Calls `late` for calls that have waited for too long. */
  sweep: () => void;
  /** Is there nothing to send? */
  isEmpty: () => boolean;
}

const maxBatchSize = 500;

interface Waiting extends PendingDecision {
  sinceMs: number;
  isLate: boolean;
}

export interface IdempotentCallsDeps {
  pool: Pool;
  journalId: string;
  /** Sends waiting calls soon. */
  runCounting: () => void;
  /** A call that waits for longer is late. */
  timeoutMs: number;
}

export function createIdempotentCalls({
  pool,
  journalId,
  runCounting,
  timeoutMs,
}: IdempotentCallsDeps): IdempotentCalls {
  let waiting: Waiting[] = [];
  let sent: Waiting[] = [];

  return {
    decide: (pending) => {
      waiting.push({ ...pending, sinceMs: performance.now(), isLate: false });
      runCounting();
    },
    send: async () => {
      while (sent.length > 0 || waiting.length > 0) {
        if (sent.length === 0) sent = waiting.splice(0, maxBatchSize);
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
      const tooOld = performance.now() - timeoutMs;
      for (const each of [...sent, ...waiting]) {
        if (each.isLate || each.sinceMs >= tooOld) continue;
        each.isLate = true;
        each.late();
      }
    },
    isEmpty: () => sent.length === 0 && waiting.length === 0,
  };
}
