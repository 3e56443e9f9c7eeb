import type { CallOutcome } from '#domain/metering.ts';
import type { KeyAccess } from './access-cache.ts';
import type { Batch, Entry } from './request-batches.ts';
import type { RequestLog } from './request-log.ts';

/** What is known of a call when it comes. */
export interface NotedAbout extends Pick<Entry, 'requestId' | 'at' | 'method' | 'target'> {
  /** By the monotonic clock. */
  startedMs: number;
}

/** Notes what became of one call of a known key in the request log; a later word on it replaces the earlier one. */
export class NotedCall {
  readonly #log: RequestLog;
  readonly #access: KeyAccess;
  readonly #about: NotedAbout;
  #noted: Entry | undefined;
  #batch: Batch | undefined;
  #failing: CallOutcome | undefined;

  constructor(log: RequestLog, access: KeyAccess, about: NotedAbout) {
    this.#log = log;
    this.#access = access;
    this.#about = about;
  }

  /** Status 0 stands for a failure whose status the gateway is about to choose: `refused` then says it. */
  note(status: number, counted: boolean, reason: CallOutcome, nowMs = performance.now()): void {
    if (status === 0) {
      this.#failing = reason;
      return;
    }
    const { requestId, at, method, target, startedMs } = this.#about;
    const { activationId, keyId } = this.#access;
    const noted = this.#noted;
    const latencyMs = noted?.latencyMs ?? nowMs - startedMs;
    const entry: Entry = { requestId, activationId, keyId, at, method, target, status, latencyMs, counted, reason };
    if (noted === undefined) this.#batch = this.#log.note(entry);
    else if (this.#batch !== undefined) this.#log.correct(this.#batch, noted, entry);
    this.#noted = entry;
  }

  /** The gateway itself answered with this status. */
  refused(status: number): void {
    // An answer that broke off before its head left was noted under the product's status.
    const before = this.#noted?.reason;
    if (before !== 'broke-off' && before !== 'caller-left') this.note(status, false, this.#failing ?? 'refused');
  }
}
