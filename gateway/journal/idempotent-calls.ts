import type { DatabaseError, Pool } from 'pg';
import { isRejected } from '#shared/database/clients.ts';
import type { Log } from '#shared/platform/log.ts';
import { countIdempotent, type IdempotentCall } from './store.ts';

/** A call with an Idempotency-Key whose response waits until the database says whether it counts (decision 025). */
export interface PendingDecision {
  call: IdempotentCall;
  /** Called once, when it is known whether the call counts. */
  decided: (counted: boolean) => void;
  /** Called at most once, before `decided`: the response can't be sent, since the caller has waited for too long or the database rejects the call. */
  refused: (fault: Error) => void;
}

/**
 * Asks the database which responses to calls with an Idempotency-Key count. Only the database knows them all: the first call may have
 * gone through another gateway, or one that was killed since. Calls that arrive while a statement runs share the next one.
 */
export interface IdempotentCalls {
  decide: (pending: PendingDecision) => void;
  /** Sends waiting calls as one statement. Rejects if it fails; its calls are then sent again, since it may have succeeded. */
  send: () => Promise<void>;
  /** Refuses calls that have waited for too long. */
  sweep: () => void;
  /** Is there nothing to send? */
  isEmpty: () => boolean;
}

const maxBatchSize = 500;

interface Waiting extends PendingDecision {
  sinceMs: number;
  isRefused: boolean;
}

export interface IdempotentCallsDeps {
  pool: Pool;
  journalId: string;
  /** Sends waiting calls soon. */
  runCounting: () => void;
  /** A call that waits for longer is refused. */
  timeoutMs: number;
  log: Log;
}

export function createIdempotentCalls({
  pool,
  journalId,
  runCounting,
  timeoutMs,
  log,
}: IdempotentCallsDeps): IdempotentCalls {
  let waiting: Waiting[] = [];
  let sent: Waiting[] = [];

  /** Decides about calls that were sent. If the database rejects some, they are refused, so that the others are decided. */
  const decideOrRefuse = async (calls: readonly Waiting[]): Promise<void> => {
    let counted: ReadonlySet<string> = new Set();
    try {
      counted = await countIdempotent(
        pool,
        journalId,
        calls.map(({ call }) => call),
      );
    } catch (error) {
      if (!isRejected(error)) throw error;
      if (calls.length > 1) {
        const half = calls.length >>> 1;
        await decideOrRefuse(calls.slice(0, half));
        return decideOrRefuse(calls.slice(half));
      }
      for (const { call } of calls) logRejected(call, error);
      for (const each of calls) refuse(each, error);
    }
    sent = sent.filter((each) => !calls.includes(each));
    for (const each of calls) each.decided(counted.has(each.call.id));
  };

  const logRejected = ({ id: requestId, activation, key }: IdempotentCall, { code, constraint }: DatabaseError): void =>
    log.error(
      { requestId, activation, key, code, constraint },
      'the database rejects a call with an Idempotency-Key; it is refused and not counted',
    );

  return {
    decide: (pending) => {
      waiting.push({ ...pending, sinceMs: performance.now(), isRefused: false });
      runCounting();
    },
    send: async () => {
      while (sent.length > 0 || waiting.length > 0) {
        if (sent.length === 0) sent = waiting.splice(0, maxBatchSize);
        await decideOrRefuse(sent);
      }
    },
    sweep: () => {
      const tooOld = performance.now() - timeoutMs;
      const isLate = ({ call, sinceMs }: Waiting): boolean => sinceMs < tooOld && !call.broken;
      const unsent = waiting.filter(isLate);
      waiting = waiting.filter((each) => !isLate(each));
      for (const each of [...sent.filter(isLate), ...unsent])
        refuse(each, new Error('the database did not respond in time'));
      // Nothing can count them any more.
      for (const each of unsent) each.decided(false);
    },
    isEmpty: () => sent.length === 0 && waiting.length === 0,
  };
}

function refuse(call: Waiting, fault: Error): void {
  if (call.isRefused) return;
  call.isRefused = true;
  call.refused(fault);
}
