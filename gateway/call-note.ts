import type { CallOutcome } from '#domain/metering.ts';
import type { KeyAccess } from './access-cache.ts';
import type { Batch, Entry } from './request-batches.ts';
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
  let batch: Batch | undefined;
  let failing: CallOutcome | undefined;
  const note: CallNote = (status, counted, reason) => {
    if (status === 0) {
      failing = reason;
      return;
    }
    const { method, target, at, startedMs } = call;
    const latencyMs = noted?.latencyMs ?? performance.now() - startedMs;
    const entry: Entry = { requestId, activationId, keyId, at, method, target, status, latencyMs, counted, reason };
    if (noted === undefined) batch = log.note(entry);
    else if (batch !== undefined) log.correct(batch, noted, entry);
    noted = entry;
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
