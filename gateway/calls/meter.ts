import { createHash } from 'node:crypto';
import { isCounted, outcomeOf, statusClass } from '#shared/domain/metering.ts';
import { isCharged, standardCost } from '#shared/domain/operation.ts';
import type { KeyAccess } from '#gateway/access/access-cache.ts';
import type { AdmittedCall } from '#gateway/access/admitted-call.ts';
import { formatHeaders } from '#gateway/http/header-rules.ts';
import type { IdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import type { WriteCallback, Journal, WrittenAt } from '#gateway/journal/journal.ts';
import { type EncodedKind, encodeKind } from '#gateway/journal/lines.ts';
import type { IdempotentCall } from '#gateway/journal/store.ts';
import { type BookLease, recordReturn } from '#gateway/quota/book.ts';
import type { QuotaDesk } from '#gateway/quota/desk.ts';
import { rateLimitHeaders, unitsHeader } from '#gateway/quota/rate-limit-headers.ts';
import type { CallRecorder } from '#gateway/request-log/call-recorder.ts';
import type { CallMeter, PendingResponse } from '#gateway/upstream/forwarding.ts';
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
function kindOf(
  lease: BookLease,
  access: KeyAccess,
  statusClass: number,
  counted: boolean,
  units: number,
): EncodedKind {
  const { cycleId: cycle, day, keyId } = lease;
  const { activationId: activation, keyId: key } = access;
  const name = units === 1 ? key : `${key} ${units}`;
  let ofKey = lease.kinds.get(name);
  if (ofKey === undefined) lease.kinds.set(name, (ofKey = []));
  const place = statusClass * 2 + Number(counted);
  return (ofKey[place] ??= encodeKind({
    activation,
    cycle,
    key,
    lease: keyId,
    day,
    class: statusClass,
    counted,
    units,
  }));
}

/** The problem that the product states for an error response. */
function problemOf(status: number, response: PendingResponse): string | undefined {
  return status < 400 ? undefined : response.problem();
}

/** Counts an admitted call on a plan: its units are either used or given back. */
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
    const { held, cost } = this.#call;
    if (!isCounted(status) || !isCharged(cost, status)) {
      this.#recordFree(status, idempotency?.replayed === true, response);
      response.release();
      return;
    }
    if (idempotency !== undefined) {
      this.#countIdempotent(status, idempotency, response);
      return;
    }
    if (!desk.use(held)) return;
    this.#countedStatus = status;
    this.#append(status, true, 1, (fault, at) => {
      if (fault !== undefined) desk.undo(held);
      else {
        this.#writtenAt = at;
        this.#recorder.record(status, held.units, outcomeOf(status, false), at.elapsedMs, problemOf(status, response));
        if (this.#truncated) this.#reverse();
      }
      response.release(fault);
    });
  }

  #recordFree(status: number, replayed: boolean, response: PendingResponse): void {
    if (!this.#metering.desk.giveBack(this.#call.held)) return;
    this.#append(status, false, 1);
    const problem = problemOf(status, response);
    const outcome = isCounted(status, replayed) ? 'free' : outcomeOf(status, replayed);
    this.#recorder.record(status, 0, outcome, performance.now(), problem);
  }

  /** Only the database knows whether this response was sent and counted before. */
  #countIdempotent(status: number, { key, replayed, replayOf }: IdempotencyInfo, response: PendingResponse): void {
    const { desk, idempotentCalls } = this.#metering;
    const { lease, access, held } = this.#call;
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
      units: held.units,
      broken: false,
    };
    let refused = false;
    idempotentCalls.decide({
      call,
      refused: (fault) => {
        refused = true;
        response.release(fault);
      },
      decided: (counted) => {
        // The caller has a refusal, which never counts. A response that broke off before is recorded as such below.
        if (refused && !this.#truncated) {
          if (!counted) desk.giveBack(held);
          else if (desk.settle(held)) this.#takeBack(call);
          return;
        }
        if (counted && desk.settle(held)) {
          this.#countedStatus = status;
          this.#idempotentCall = call;
          const problem = problemOf(status, response);
          this.#recorder.record(status, held.units, outcomeOf(status, false), performance.now(), problem);
          if (this.#truncated) this.#reverse();
        } else this.#recordFree(status, true, response);
        response.release();
      },
    });
  }

  failed(disconnected: boolean): void {
    if (!this.#metering.desk.giveBack(this.#call.held)) return;
    // 499 as in nginx: the caller disconnected before there was a response.
    if (disconnected) this.#recorder.record(499, 0, 'caller-left');
    else {
      this.#append(502, false, 1);
      this.#recorder.record(0, 0, 'failed');
    }
  }

  rejected(): void {
    this.#metering.desk.giveBack(this.#call.held);
  }

  truncated(): void {
    this.#truncated = true;
    if (this.#writtenAt !== undefined || this.#idempotentCall !== undefined) this.#reverse();
  }

  headerLines(): string {
    const { cycle, book, lease, cost, held, dayEndsAt } = this.#call;
    const { nowMs, elapsedMs } = this.#writtenAt ?? { nowMs: this.#metering.now(), elapsedMs: performance.now() };
    const limits = rateLimitHeaders({ cycle, book, lease, dayEndsAt, nowMs, elapsedMs });
    if (cost === standardCost) return limits;
    return `${limits}${unitsHeader}: ${this.#countedStatus === 0 ? 0 : held.units}\r\n`;
  }

  #append(status: number, counted: boolean, calls: number, done?: WriteCallback): void {
    const { lease, access, held } = this.#call;
    this.#metering.journal.append(
      kindOf(lease, access, statusClass(status), counted, counted ? held.units : 1),
      calls,
      done,
    );
  }

  /** Reverses the count and records a failed call instead. */
  #reverse(): void {
    const { desk } = this.#metering;
    if (this.#idempotentCall !== undefined) this.#takeBack(this.#idempotentCall);
    else {
      this.#append(this.#countedStatus, true, -1, (fault) => {
        if (fault === undefined) desk.undo(this.#call.held);
      });
    }
    this.#append(502, false, 1);
    this.#recorder.record(this.#countedStatus, 0, 'broke-off');
  }

  /** Takes back what the database counted, so that the first replay of the response counts. The database itself returns the units to the quota. */
  #takeBack(call: IdempotentCall): void {
    const { desk, idempotentCalls } = this.#metering;
    const { book, lease, held } = this.#call;
    recordReturn(book, lease, held.units);
    idempotentCalls.decide({
      call: { ...call, broken: true },
      // A block that was taken meanwhile may have brought what was left before the return.
      decided: () => desk.releaseUnused(book.activationId),
      refused: () => {},
    });
  }
}

/** Headers that mark a test call for the product. Callers cannot forge them: X-Octroi-* headers are stripped from requests. */
export const testCallHeaders: readonly string[] = ['X-Octroi-Plan', 'test', 'X-Octroi-Test', 'true'];

const testModeLines = formatHeaders(['Octroi-Mode', 'test']);

/** A call with a test key is recorded but never counted. */
export class TestCall implements CallMeter {
  readonly #recorder: Pick<CallRecorder, 'record'>;

  constructor(recorder: Pick<CallRecorder, 'record'>) {
    this.#recorder = recorder;
  }

  responded(status: number, _repeatable: IdempotencyInfo | undefined, response: PendingResponse): void {
    this.#recorder.record(status, 0, 'test', performance.now(), problemOf(status, response));
    response.release();
  }

  failed(disconnected: boolean): void {
    this.#recorder.record(disconnected ? 499 : 0, 0, 'test');
  }

  truncated(): void {}

  rejected(): void {}

  headerLines(): string {
    return testModeLines;
  }
}
