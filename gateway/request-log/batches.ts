import { randomUUID } from 'node:crypto';
import { addDays, type Day, dayOf, startOfDay } from '#domain/day.ts';
import { type CallSort, callRecordBytes, sortInRecord, writeCallRecord, writeCallSort } from '#domain/logged-call.ts';
import { maskPath } from './mask-path.ts';

/** A call of a key as it came, for the customer whose key it is. The log decides nothing: quotas and usage are counted by the journal. */
export interface CallInfo {
  access: { activationId: string; keyId: string };
  requestId: string;
  /** Epoch milliseconds. */
  at: number;
  method: string;
  /** As it was called; the query is cut off and numbers are masked before it is kept. */
  target: string;
}

/** What became of it. */
export type Outcome = Pick<CallSort, 'status' | 'counted' | 'reason'>;

/** What another word on a call has changed. */
export interface Change {
  /** The places of its sorts in the dictionary, before and now. */
  from: number;
  to: number;
  lessCounted: number;
}

/** So many calls at most lie in one row: a page of the log is read batch by batch. */
const mostCalls = 500;
/** Half of what the database allows: a page of the log looks for its calls in batches around its time. */
const longestMs = 5 * 60_000;

/** Calls of one key on one IST day that lie in one row (decision 018). */
export class Batch {
  readonly id = randomUUID();
  readonly activationId: string;
  readonly keyId: string;
  readonly day: Day;
  readonly test: boolean;
  fromMs: number;
  toMs: number;
  calls = 0;
  counted = 0;
  readonly statuses = new Set<number>();
  /** Is it on its way to the database, so that nothing in it can be changed here any more? */
  sealed = false;
  readonly #midnightMs: number;
  readonly #dictionary = new Map<string, number>();
  /** As bytes, since texts that wait for the database would be copied by every collection of garbage until then. */
  #records = Buffer.allocUnsafe(16 * callRecordBytes);
  /** The sort of the last call: most calls are of the same. */
  #lastMethod = '';
  #lastTarget = '';
  #lastOutcome: Outcome | undefined;
  #lastSort = 0;

  constructor({ access, at }: CallInfo, day: Day, midnightMs: number, test: boolean) {
    this.activationId = access.activationId;
    this.keyId = access.keyId;
    this.day = day;
    this.test = test;
    this.#midnightMs = midnightMs;
    this.fromMs = at;
    this.toMs = at;
  }

  hasRoomFor(at: number): boolean {
    return this.calls < mostCalls && Math.max(this.toMs, at) - Math.min(this.fromMs, at) <= longestMs;
  }

  add(about: CallInfo, outcome: Outcome, latencyMs: number): void {
    const { requestId, at } = about;
    const offset = this.calls * callRecordBytes;
    if (offset === this.#records.length) this.#records = Buffer.concat([this.#records], offset * 4);
    const sort = this.#sortOf(about, outcome);
    writeCallRecord({ requestId, sinceMidnightMs: at - this.#midnightMs, latencyMs, sort }, this.#records, offset);
    this.calls += 1;
    if (outcome.counted) this.counted += 1;
    if (at < this.fromMs) this.fromMs = at;
    if (at > this.toMs) this.toMs = at;
  }

  /** Another word on the call at a place, counted from 0; undefined when it says nothing new. */
  change(place: number, about: CallInfo, before: Outcome, after: Outcome): Change | undefined {
    const offset = place * callRecordBytes + sortInRecord;
    const [from, to] = [this.#records.readUInt16BE(offset), this.#sortOf(about, after)];
    if (from === to) return undefined;
    const lessCounted = Number(before.counted) - Number(after.counted);
    this.#records.writeUInt16BE(to, offset);
    this.counted -= lessCounted;
    return { from, to, lessCounted };
  }

  dictionary(): string {
    return [...this.#dictionary.keys()].join('\n');
  }

  records(): Buffer {
    return this.#records.subarray(0, this.calls * callRecordBytes);
  }

  #sortOf({ method, target }: CallInfo, outcome: Outcome): number {
    const last = this.#lastOutcome;
    if (last !== undefined && isSame(last, outcome) && target === this.#lastTarget && method === this.#lastMethod) {
      return this.#lastSort;
    }
    const { status, counted, reason } = outcome;
    const entry = writeCallSort({ method, path: maskPath(target), status, counted, reason });
    let sort = this.#dictionary.get(entry);
    if (sort === undefined) {
      sort = this.#dictionary.size;
      this.#dictionary.set(entry, sort);
      this.statuses.add(status);
    }
    this.#lastMethod = method;
    this.#lastTarget = target;
    this.#lastOutcome = outcome;
    this.#lastSort = sort;
    return sort;
  }
}

function isSame(one: Outcome, other: Outcome): boolean {
  return one.status === other.status && one.reason === other.reason && one.counted === other.counted;
}

/** Batches that are being filled. */
export interface OpenBatches {
  /** Puts a call at the end of exactly one batch, and says of which. */
  add: (about: CallInfo, outcome: Outcome, latencyMs: number) => Batch;
  /** Hands over what is filled and begins anew. */
  take: () => Batch[];
}

export function openBatches(): OpenBatches {
  let batches: Batch[] = [];
  let open = new Map<string, Batch>();
  let day: Day = '';
  let dayStartsAt = 0;
  let dayEndsAt = 0;
  return {
    add: (about, outcome, latencyMs) => {
      const { access, at } = about;
      if (at < dayStartsAt || at >= dayEndsAt) {
        day = dayOf(at);
        dayStartsAt = startOfDay(day);
        dayEndsAt = startOfDay(addDays(day, 1));
      }
      const test = outcome.reason === 'test';
      const kind = test ? `${access.keyId} test` : access.keyId;
      let batch = open.get(kind);
      if (batch === undefined || batch.day !== day || !batch.hasRoomFor(at)) {
        batch = new Batch(about, day, dayStartsAt, test);
        open.set(kind, batch);
        batches.push(batch);
      }
      batch.add(about, outcome, latencyMs);
      return batch;
    },
    take: () => {
      const taken = batches;
      for (const batch of taken) batch.sealed = true;
      batches = [];
      open = new Map();
      return taken;
    },
  };
}
