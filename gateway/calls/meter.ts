import { createHash } from 'node:crypto';
import { isCounted, outcomeOf, statusClass } from '#domain/metering.ts';
import type { KeyAccess } from '#gateway/access/access-cache.ts';
import type { AdmittedCall } from '#gateway/access/admit.ts';
import { formatHeaders } from '#gateway/http/header-rules.ts';
import type { WriteCallback, Journal, WrittenAt } from '#gateway/journal/journal.ts';
import { type EncodedKind, encodeKind } from '#gateway/journal/lines.ts';
import type { IdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import type { IdempotentCall } from '#gateway/journal/store.ts';
import { type BookLease, recordReturn } from '#gateway/quota/book.ts';
import type { QuotaDesk } from '#gateway/quota/desk.ts';
import { rateLimitHeaders } from '#gateway/quota/rate-limit-headers.ts';
import type { CallRecorder } from '#gateway/request-log/call-recorder.ts';
import type { Answer, CallMeter } from '#gateway/upstream/forward.ts';
import type { Repeatable } from '#gateway/upstream/repeatable.ts';

/** What all calls are counted with. */
export interface Metering {
  desk: QuotaDesk;
  journal: Journal;
  idempotentCalls: IdempotentCalls;
  /** Epoch milliseconds. */
  now: () => number;
}

/** The kind of a lease's calls, made once: the journal tells kinds apart by identity. */
function kindOf(lease: BookLease, access: KeyAccess, statusClass: number, counted: boolean): EncodedKind {
  let ofKey = lease.kinds.get(access.keyId);
  if (ofKey === undefined) lease.kinds.set(access.keyId, (ofKey = []));
  const { cycleId: cycle, day, keyId } = lease;
  const { activationId: activation, keyId: key } = access;
  const place = statusClass * 2 + Number(counted);
  return (ofKey[place] ??= encodeKind({ activation, cycle, key, lease: keyId, day, class: statusClass, counted }));
}

/** It counted, or it is given back: follows one admitted call to its end. */
export class CountedCall implements CallMeter {
  readonly #metering: Metering;
  readonly #call: AdmittedCall;
  readonly #noted: CallRecorder;
  #brokeOff = false;
  #countedStatus = 0;
  /** When it was written that it counts. */
  #writtenAt: WrittenAt | undefined;
  /** A call with an Idempotency-Key, as the database was asked about it; it isn't in the journal. */
  #asked: IdempotentCall | undefined;

  constructor(metering: Metering, call: AdmittedCall, noted: CallRecorder) {
    this.#metering = metering;
    this.#call = call;
    this.#noted = noted;
  }

  answered(status: number, repeatable: Repeatable | undefined, answer: Answer): void {
    const { desk } = this.#metering;
    const { unit } = this.#call;
    if (!isCounted(status)) {
      this.#isFree(status, repeatable?.replayed === true);
      answer.go();
      return;
    }
    if (repeatable !== undefined) {
      this.#ask(status, repeatable, answer);
      return;
    }
    if (!desk.use(unit)) return;
    this.#countedStatus = status;
    this.#append(status, true, 1, (fault, at) => {
      if (fault !== undefined) desk.undo(unit);
      else {
        this.#writtenAt = at;
        this.#noted.record(status, true, outcomeOf(status, false), at.elapsedMs);
        if (this.#brokeOff) this.#takeBack();
      }
      answer.go(fault);
    });
  }

  #isFree(status: number, replayed: boolean): void {
    if (!this.#metering.desk.giveBack(this.#call.unit)) return;
    this.#append(status, false, 1);
    this.#noted.record(status, false, outcomeOf(status, replayed));
  }

  /** The response may have been given before, and counted then: only the database knows. */
  #ask(status: number, { key, replayed, replayOf }: Repeatable, answer: Answer): void {
    const { desk, idempotentCalls } = this.#metering;
    const { lease, access, unit } = this.#call;
    const { requestId, at } = this.#noted;
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
          this.#asked = call;
          this.#noted.record(status, true, outcomeOf(status, false));
          if (this.#brokeOff) this.#takeBack();
        } else this.#isFree(status, true);
        answer.go();
      },
      late: () => answer.go(new Error('the database did not answer in time')),
    });
  }

  failed(callerLeft: boolean): void {
    if (!this.#metering.desk.giveBack(this.#call.unit)) return;
    // Nobody was answered when the caller left first.
    if (callerLeft) this.#noted.record(499, false, 'caller-left');
    else {
      this.#append(502, false, 1);
      this.#noted.record(0, false, 'failed');
    }
  }

  turnedAway(): void {
    this.#metering.desk.giveBack(this.#call.unit);
  }

  broken(): void {
    this.#brokeOff = true;
    if (this.#writtenAt !== undefined || this.#asked !== undefined) this.#takeBack();
  }

  lines(): string {
    const { cycle, book, lease, dayEndsAt } = this.#call;
    const { nowMs, elapsedMs } = this.#writtenAt ?? { nowMs: this.#metering.now(), elapsedMs: performance.now() };
    return rateLimitHeaders({ cycle, book, lease, dayEndsAt, nowMs, elapsedMs });
  }

  #append(status: number, counted: boolean, calls: number, done?: WriteCallback): void {
    const { lease, access } = this.#call;
    this.#metering.journal.append(kindOf(lease, access, statusClass(status), counted), calls, done);
  }

  /** The same call again, but as a failure that does not count. */
  #takeBack(): void {
    const { desk, idempotentCalls } = this.#metering;
    const { book, lease, unit } = this.#call;
    if (this.#asked !== undefined) {
      // The database gives the unit back to the quota itself.
      recordReturn(book, lease);
      idempotentCalls.decide({ call: { ...this.#asked, broken: true }, decided: () => {}, late: () => {} });
    } else {
      this.#append(this.#countedStatus, true, -1, (fault) => {
        if (fault === undefined) desk.undo(unit);
      });
    }
    this.#append(502, false, 1);
    this.#noted.record(this.#countedStatus, false, 'broke-off');
  }
}

/** What tells the product that a call is a test. Callers cannot send it: fields of this kind are taken from their calls. */
export const testFields: readonly string[] = ['X-Octroi-Plan', 'test', 'X-Octroi-Test', 'true'];

const testAnswerLines = formatHeaders(['Octroi-Mode', 'test']);

/** A call of a test key is forwarded and takes nothing. */
export class TestCall implements CallMeter {
  readonly #noted: CallRecorder;

  constructor(noted: CallRecorder) {
    this.#noted = noted;
  }

  answered(status: number, _repeatable: Repeatable | undefined, answer: Answer): void {
    this.#noted.record(status, false, 'test');
    answer.go();
  }

  failed(callerLeft: boolean): void {
    this.#noted.record(callerLeft ? 499 : 0, false, 'test');
  }

  broken(): void {}

  turnedAway(): void {}

  lines(): string {
    return testAnswerLines;
  }
}
