import type { CallOutcome } from '#shared/domain/metering.ts';
import type { Batch } from './batches.ts';
import type { CallInfo, Outcome } from './call-info.ts';
import type { RequestLog } from './request-log.ts';

export interface TimedCallInfo extends CallInfo {
  /** By the monotonic clock. */
  startedMs: number;
}

/** Records the outcome of one call of a known key in the request log; a later outcome replaces an earlier one. */
export class CallRecorder {
  readonly #log: RequestLog;
  readonly #call: TimedCallInfo;
  #outcome: Outcome | undefined;
  /** The batch it was recorded in; undefined if the log was full. */
  #batch: Batch | undefined;
  #index = 0;
  #failure: CallOutcome | undefined;

  constructor(log: RequestLog, call: TimedCallInfo) {
    this.#log = log;
    this.#call = call;
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  /** When the call arrived, in epoch milliseconds. */
  get at(): number {
    return this.#call.at;
  }

  /** `units`: that it used of its quota. Status 0: the call failed, and `refused` will tell which status the gateway sends. */
  record(status: number, units: number, reason: CallOutcome, nowMs = performance.now(), problem?: string): void {
    if (status === 0) {
      this.#failure = reason;
      return;
    }
    const before = this.#outcome;
    const outcome = { status, units, reason, problem };
    this.#outcome = outcome;
    this.#call.trace?.decided(outcome);
    if (before === undefined) {
      const batch = this.#log.record(this.#call, outcome, nowMs - this.#call.startedMs);
      if (batch !== undefined) this.#index = batch.calls - 1;
      this.#batch = batch;
    } else if (this.#batch !== undefined) {
      this.#log.correct(this.#batch, this.#index, this.#call, before, outcome);
    }
  }

  /** The gateway itself responded with this status. `problem`: as `writeProblem` writes it. */
  refused(status: number, problem: string): void {
    // A response that broke off before its headers were sent is already recorded under the product's status.
    const before = this.#outcome?.reason;
    if (before === 'broke-off' || before === 'caller-left') return;
    this.record(status, 0, this.#failure ?? 'refused', performance.now(), problem);
  }
}
