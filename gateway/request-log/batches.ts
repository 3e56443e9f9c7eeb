import { randomUUID } from 'node:crypto';
import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { recordsBytes, typeOffset, writeCallRecord, writeCallType } from '#shared/domain/logged-call.ts';
import type { LogBatch } from '#shared/request-log/log.ts';
import type { CallInfo, Outcome } from './call-info.ts';
import { maskPath } from './mask-path.ts';
import { addProblem, type Summary } from './refused-calls.ts';

/** What a correction changes in a batch. */
export interface Change {
  /** Indexes of the old and new type in the dictionary. */
  from: number;
  to: number;
  lessCounted: number;
}

/** Limits the size of a row, since pages of the log are read batch by batch. */
const maxCalls = 500;
/** Half of what the database allows. A short span lets a page of the log find its calls in few batches. */
const maxSpanMs = 5 * 60_000;

/** Calls of one key on one IST day, stored in one row (decision 018). */
export class Batch implements LogBatch {
  readonly id = randomUUID();
  readonly activationId: string;
  readonly keyId: string;
  readonly day: Day;
  readonly test: boolean;
  fromMs: number;
  toMs: number;
  calls = 0;
  counted = 0;
  unlisted = 0;
  revision = 0;
  readonly statuses = new Set<number>();
  /** How many of its calls, and of those beside them, have each problem, by its name. Undefined until there is one. */
  #problems: Map<string, number> | undefined;
  /** It was taken for writing, so later corrections must go to the database. */
  sealed = false;
  readonly #midnightMs: number;
  readonly #dictionary = new Map<string, number>();
  /** Bytes rather than strings, which the garbage collector would copy until they are written. */
  #records = Buffer.allocUnsafe(recordsBytes(16));
  /** The type of the last call, which most calls share. */
  #lastMethod = '';
  #lastTarget = '';
  #lastOutcome: Outcome | undefined;
  #lastType = 0;

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
    return this.calls < maxCalls && Math.max(this.toMs, at) - Math.min(this.fromMs, at) <= maxSpanMs;
  }

  add(call: CallInfo, outcome: Outcome, latencyMs: number): void {
    const { requestId, at } = call;
    if (recordsBytes(this.calls) === this.#records.length)
      this.#records = Buffer.concat([this.#records], recordsBytes(this.calls * 4));
    const type = this.#typeOf(call, outcome);
    writeCallRecord({ requestId, sinceMidnightMs: at - this.#midnightMs, latencyMs, type }, this.#records, this.calls);
    this.calls += 1;
    if (outcome.units > 0) this.counted += 1;
    if (outcome.problem !== undefined) this.#countProblem(outcome.problem);
    if (at < this.fromMs) this.fromMs = at;
    if (at > this.toMs) this.toMs = at;
  }

  /** Corrects the outcome of call `index`; undefined if nothing changes. */
  change(index: number, call: CallInfo, before: Outcome, after: Outcome): Change | undefined {
    const offset = typeOffset(index);
    const [from, to] = [this.#records.readUInt16BE(offset), this.#typeOf(call, after)];
    if (from === to) return undefined;
    const lessCounted = Number(before.units > 0) - Number(after.units > 0);
    this.#records.writeUInt16BE(to, offset);
    this.counted -= lessCounted;
    this.revision += 1;
    return { from, to, lessCounted };
  }

  /** A problem that a correction adds is not among them: such a call reached the product. */
  #countProblem(problem: string): void {
    this.#problems ??= new Map();
    addProblem(this.#problems, problem);
  }

  addOthers({ others, problems }: Pick<Summary, 'others' | 'problems'>): void {
    this.unlisted += others;
    this.#problems ??= new Map();
    for (const [name, calls] of problems) this.#problems.set(name, (this.#problems.get(name) ?? 0) + calls);
  }

  problems(): string {
    return this.#problems === undefined ? '{}' : JSON.stringify(Object.fromEntries(this.#problems));
  }

  dictionary(): string {
    return [...this.#dictionary.keys()].join('\n');
  }

  records(): Buffer {
    return this.#records.subarray(0, recordsBytes(this.calls));
  }

  #typeOf({ method, target }: CallInfo, outcome: Outcome): number {
    const last = this.#lastOutcome;
    if (last !== undefined && isSame(last, outcome) && target === this.#lastTarget && method === this.#lastMethod) {
      return this.#lastType;
    }
    const { status, units, reason, problem } = outcome;
    const entry = writeCallType({ method, path: maskPath(target), status, units, reason, problem });
    let type = this.#dictionary.get(entry);
    if (type === undefined) {
      type = this.#dictionary.size;
      this.#dictionary.set(entry, type);
      this.statuses.add(status);
    }
    this.#lastMethod = method;
    this.#lastTarget = target;
    this.#lastOutcome = outcome;
    this.#lastType = type;
    return type;
  }
}

function isSame(one: Outcome, other: Outcome): boolean {
  return (
    one.status === other.status &&
    one.reason === other.reason &&
    one.units === other.units &&
    one.problem === other.problem
  );
}

/** Batches being filled. */
export interface OpenBatches {
  /** Appends a call to a batch and returns the batch. */
  add: (call: CallInfo, outcome: Outcome, latencyMs: number) => Batch;
  /** Seals and returns all batches. */
  take: () => Batch[];
}

export function openBatches(): OpenBatches {
  let batches: Batch[] = [];
  let open = new Map<string, Batch>();
  let day: Day = '';
  let dayStartsAt = 0;
  let dayEndsAt = 0;
  return {
    add: (call, outcome, latencyMs) => {
      const { access, at } = call;
      if (at < dayStartsAt || at >= dayEndsAt) {
        day = dayOf(at);
        dayStartsAt = startOfDay(day);
        dayEndsAt = startOfDay(addDays(day, 1));
      }
      const test = outcome.reason === 'test';
      const kind = test ? `${access.keyId} test` : access.keyId;
      let batch = open.get(kind);
      if (batch === undefined || batch.day !== day || !batch.hasRoomFor(at)) {
        batch = new Batch(call, day, dayStartsAt, test);
        open.set(kind, batch);
        batches.push(batch);
      }
      batch.add(call, outcome, latencyMs);
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
