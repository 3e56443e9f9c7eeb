import type { CallOutcome } from '#domain/metering.ts';
import type { KeyAccess } from './access-cache.ts';
import type { Entry } from './request-batches.ts';
import type { RequestLog } from './request-log.ts';

/**
 * Notes what became of one call in the request log; a later word on it replaces the earlier one. Status 0 stands for a failure whose
 * status the gateway is about to choose: `refused` then says it.
 */
export type CallNote = (status: number, counted: boolean, reason: CallOutcome) => void;

export interface NotedCall {
  note: CallNote;
  /** The gateway itself answered with this status. */
  refused: (status: number) => void;
}

/** Follows one call of a known key. `startedMs`: by the monotonic clock. */
export function noteCall(
  log: RequestLog,
  requestId: string,
  { activationId, keyId }: KeyAccess,
  call: { method: string; target: string; at: number; startedMs: number },
): NotedCall {
  let noted: Entry | undefined;
  let failing: CallOutcome | undefined;
  const note: CallNote = (status, counted, reason) => {
    if (status === 0) failing = reason;
    else if (noted !== undefined) log.correct(noted, { status, counted, reason });
    else {
      const { method, target, at } = call;
      const latencyMs = performance.now() - call.startedMs;
      const asCalled = { requestId, activationId, keyId, at, method, target };
      noted = { ...asCalled, status, latencyMs, counted, reason, batchId: undefined };
      log.note(noted);
    }
  };
  return {
    note,
    refused: (status) => {
      // An answer that broke off before its head left was noted under the product's status.
      if (noted?.reason === 'broke-off' || noted?.reason === 'caller-left') return;
      note(status, false, failing ?? 'refused');
    },
  };
}
