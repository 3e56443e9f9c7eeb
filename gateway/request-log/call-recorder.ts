import type { CallOutcome } from '#domain/metering.ts';
import type { Batch, CallInfo, Outcome } from './batches.ts';
import type { RequestLog } from './request-log.ts';

/** What is known of a call when it comes. */
export interface TimedCallInfo extends CallInfo {
  /** By the monotonic clock. */
  startedMs: number;
}

/** Notes what became of one call of a known key in the request log; a later word on it replaces the earlier one. */
export class CallRecorder {
  readonly #log: RequestLog;
  readonly #about: TimedCallInfo;
  #outcome: Outcome | undefined;
  /** Where it was noted; undefined when the log took no more. */
  #batch: Batch | undefined;
  #place = 0;
  #failing: CallOutcome | undefined;

  constructor(log: RequestLog, about: TimedCallInfo) {
    this.#log = log;
    this.#about = about;
  }

  get requestId(): string {
    return this.#about.requestId;
  }

  /** When the call came, in epoch milliseconds. */
  get at(): number {
    return this.#about.at;
  }

  /** Status 0 stands for a failure whose status the gateway is about to choose: `refused` then says it. */
  note(status: number, counted: boolean, reason: CallOutcome, nowMs = performance.now()): void {
    if (status === 0) {
      this.#failing = reason;
      return;
    }
    const before = this.#outcome;
    const outcome = { status, counted, reason };
    this.#outcome = outcome;
    if (before === undefined) {
      const batch = this.#log.note(this.#about, outcome, nowMs - this.#about.startedMs);
      if (batch !== undefined) this.#place = batch.calls - 1;
      this.#batch = batch;
    } else if (this.#batch !== undefined) {
      this.#log.correct(this.#batch, this.#place, this.#about, before, outcome);
    }
  }

  /** The gateway itself answered with this status. */
  refused(status: number): void {
    // An answer that broke off before its head left was noted under the product's status.
    const before = this.#outcome?.reason;
    if (before !== 'broke-off' && before !== 'caller-left') this.note(status, false, this.#failing ?? 'refused');
  }
}
