import { createHash } from 'node:crypto';
import { isCounted, outcomeOf, statusClass } from '#domain/metering.ts';
import type { KeyAccess } from '#gateway/access/access-cache.ts';
import type { AdmittedCall } from '#gateway/access/admit.ts';
import { formatHeaders } from '#gateway/http/header-rules.ts';
import type { IdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import type { WriteCallback, Journal, WrittenAt } from '#gateway/journal/journal.ts';
import { type EncodedKind, encodeKind } from '#gateway/journal/lines.ts';
import type { IdempotentCall } from '#gateway/journal/store.ts';
import { type BookLease, recordReturn } from '#gateway/quota/book.ts';
import type { QuotaDesk } from '#gateway/quota/desk.ts';
import { rateLimitHeaders } from '#gateway/quota/rate-limit-headers.ts';
import type { CallRecorder } from '#gateway/request-log/call-recorder.ts';
import type { CallMeter, PendingResponse } from '#gateway/upstream/forward.ts';
import type { IdempotencyInfo } from '#gateway/upstream/idempotency.ts';

/** What every counted call needs. */
export interface Metering {
  desk: QuotaDesk;
  journal: Journal;
  idempotentCalls: IdempotentCalls;
  /** Epoch milliseconds. */
  now: () => number;
}

/** The encoded kind of calls on a lease. Cached, because the journal compares kinds by identity. */
function kindOf(lease: BookLease, access: KeyAccess, statusClass: number, counted: boolean): EncodedKind {
  let ofKey = lease.kinds.get(access.keyId);
  if (ofKey === undefined) lease.kinds.set(access.keyId, (ofKey = []));
  const { cycleId: cycle, day, keyId } = lease;
  const { activationId: activation, keyId: key } = access;
  const place = statusClass * 2 + Number(counted);
  return (ofKey[place] ??= encodeKind({ activation, cycle, key, lease: keyId, day, class: statusClass, counted }));
}

/** The problem that the product states for an error response. */
function problemOf(status: number, response: PendingResponse): string | undefined {
  return status < 400 ? undefined : response.problem();
}

/** Counts an admitted call on a plan: its unit is either used or given back. */
export class CountedCall implements CallMeter {
  readonly #metering: Metering;
  readonly #call: AdmittedCall;
  readonly #recorder: CallRecorder;
  #truncated = false;
  #countedStatus = 0;
  /** When the journal entry was written. */
  #writtenAt: WrittenAt | undefined;
  /** A call with an Idempotency-Key. The database counts it instead of the journal. */
  #idempotentCall: IdempotentCall | undefined;

  constructor(metering: Metering, call: AdmittedCall, recorder: CallRecorder) {
    this.#metering = metering;
    this.#call = call;
    this.#recorder = recorder;
  }

  responded(status: number, idempotency: IdempotencyInfo | undefined, response: PendingResponse): void {
    const { desk } = this.#metering;
    const { unit } = this.#call;
    if (!isCounted(status)) {
      this.#recordFree(status, idempotency?.replayed === true, response);
      response.release();
      return;
    }
    if (idempotency !== undefined) {
      this.#countIdempotent(status, idempotency, response);
      return;
    }
    if (!desk.use(unit)) return;
    this.#countedStatus = status;
    this.#append(status, true, 1, (fault, at) => {
      if (fault !== undefined) desk.undo(unit);
      else {
        this.#writtenAt = at;
        this.#recorder.record(status, true, outcomeOf(status, false), at.elapsedMs, problemOf(status, response));
        if (this.#truncated) this.#reverse();
      }
      response.release(fault);
    });
  }

  #recordFree(status: number, replayed: boolean, response: PendingResponse): void {
    if (!this.#metering.desk.giveBack(this.#call.unit)) return;
    this.#append(status, false, 1);
    const problem = problemOf(status, response);
    this.#recorder.record(status, false, outcomeOf(status, replayed), performance.now(), problem);
  }

  /** Only the database knows whether this response was sent and counted before. */
  #countIdempotent(status: number, { key, replayed, replayOf }: IdempotencyInfo, response: PendingResponse): void {
    const { desk, idempotentCalls } = this.#metering;
    const { lease, access, unit } = this.#call;
    const { requestId, at } = this.#recorder;
    const call: IdempotentCall = {
      id: requestId,
      response: replayed ? (replayOf ?? null) : requestId,
      keyHash: createHash('sha256').update(key).digest('hex'),
      startedAt: new Date(at),
      activation: access.activationId,
      cycle: lease.cycleId,
      key: access.keyId,
      lease: lease.keyId,
      day: lease.day,
      class: statusClass(status),
      broken: false,
    };
    idempotentCalls.decide({
      call,
      decided: (counted) => {
        if (counted && desk.settle(unit)) {
          this.#countedStatus = status;
          this.#idempotentCall = call;
          const problem = problemOf(status, response);
          this.#recorder.record(status, true, outcomeOf(status, false), performance.now(), problem);
          if (this.#truncated) this.#reverse();
        } else this.#recordFree(status, true, response);
        response.release();
      },
      late: () => response.release(new Error('the database did not respond in time')),
    });
  }

  failed(disconnected: boolean): void {
    if (!this.#metering.desk.giveBack(this.#call.unit)) return;
    // 499 as in nginx: the caller disconnected before there was a response.
    if (disconnected) this.#recorder.record(499, false, 'caller-left');
    else {
      this.#append(502, false, 1);
      this.#recorder.record(0, false, 'failed');
    }
  }

  rejected(): void {
    this.#metering.desk.giveBack(this.#call.unit);
  }

  truncated(): void {
    this.#truncated = true;
    if (this.#writtenAt !== undefined || this.#idempotentCall !== undefined) this.#reverse();
  }

  headerLines(): string {
    const { cycle, book, lease, dayEndsAt } = this.#call;
    const { nowMs, elapsedMs } = this.#writtenAt ?? { nowMs: this.#metering.now(), elapsedMs: performance.now() };
    return rateLimitHeaders({ cycle, book, lease, dayEndsAt, nowMs, elapsedMs });
  }

  #append(status: number, counted: boolean, calls: number, done?: WriteCallback): void {
    const { lease, access } = this.#call;
    this.#metering.journal.append(kindOf(lease, access, statusClass(status), counted), calls, done);
  }

  /** Reverses the count and records a failed call instead. */
  #reverse(): void {
    const { desk, idempotentCalls } = this.#metering;
    const { book, lease, unit } = this.#call;
    if (this.#idempotentCall !== undefined) {
      // The database itself returns the unit to the quota.
      recordReturn(book, lease);
      idempotentCalls.decide({ call: { ...this.#idempotentCall, broken: true }, decided: () => {}, late: () => {} });
    } else {
      this.#append(this.#countedStatus, true, -1, (fault) => {
        if (fault === undefined) desk.undo(unit);
      });
    }
    this.#append(502, false, 1);
    this.#recorder.record(this.#countedStatus, false, 'broke-off');
  }
}

/** Headers that mark a test call for the product. Callers cannot forge them: X-Octroi-* headers are stripped from requests. */
export const testCallHeaders: readonly string[] = ['X-Octroi-Plan', 'test', 'X-Octroi-Test', 'true'];

const testModeLines = formatHeaders(['Octroi-Mode', 'test']);

/** A call with a test key is recorded but never counted. */
export class TestCall implements CallMeter {
  readonly #recorder: CallRecorder;

  constructor(recorder: CallRecorder) {
    this.#recorder = recorder;
  }

  responded(status: number, _repeatable: IdempotencyInfo | undefined, response: PendingResponse): void {
    this.#recorder.record(status, false, 'test', performance.now(), problemOf(status, response));
    response.release();
  }

  failed(disconnected: boolean): void {
    this.#recorder.record(disconnected ? 499 : 0, false, 'test');
  }

  truncated(): void {}

  rejected(): void {}

  headerLines(): string {
    return testModeLines;
  }
}
