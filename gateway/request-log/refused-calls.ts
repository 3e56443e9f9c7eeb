import { problemName, readProblem } from '#shared/domain/call-problem.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { BoundedMap } from '#shared/platform/bounded-map.ts';
import type { CallInfo, Outcome } from './call-info.ts';

/** How many refused calls of a customer are logged one by one at once; then one every `refillMs`. */
const maxAtOnce = 180;
/** How many more may be logged to say how many others there were. */
const reserve = 20;
const refillMs = 10_000;
const summaryMs = 60_000;
const maxCustomers = 10_000;
const maxSummaries = 10_000;

/** What of a customer's refused calls may be logged now. */
interface Budget {
  left: number;
  atMs: number;
}

/** Refused calls of a key on one IST day that are not logged one by one. */
export interface Summary {
  /** The latest of them, which is logged. */
  call: CallInfo;
  outcome: Outcome;
  latencyMs: number;
  /** How many others there were, and how many of those had each problem. */
  others: number;
  problems: Map<string, number>;
  sinceMs: number;
}

/**
 * A refused call costs its customer nothing, so nothing else limits how many there are. Each customer's are logged one by one up to a rate; of
 * the rest, the latest of each key is logged once a minute, with the number of the others.
 */
export class RefusedCalls {
  readonly #budgets = new BoundedMap<string, Budget>(maxCustomers);
  /** Those that made room for newer ones. They are due, whatever their customer's rate leaves. */
  #evicted: Summary[] = [];
  readonly #summaries = new BoundedMap<string, Summary>(maxSummaries, (summary) => void this.#evicted.push(summary));
  readonly #nowMs: () => number;

  /** `nowMs`: by the monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get pending(): number {
    return this.#summaries.size + this.#evicted.length;
  }

  /** True if the call is to be logged by itself; otherwise it is in a summary. */
  admit(call: CallInfo, outcome: Outcome, latencyMs: number): boolean {
    if (this.#take(call.access.customerId, reserve)) return true;
    this.#summarize(call, outcome, latencyMs, dayOf(call.at));
    return false;
  }

  /** The summaries of a minute ago. What a customer's rate leaves no room for waits, and takes up more calls. */
  take(): Summary[] {
    const nowMs = this.#nowMs();
    const taken = this.#takeEvicted();
    for (const [name, summary] of this.#summaries) {
      if (nowMs - summary.sinceMs < summaryMs || !this.#take(summary.call.access.customerId, 0)) continue;
      this.#summaries.delete(name);
      taken.push(summary);
    }
    return taken;
  }

  /** All summaries, when the gateway ends. */
  takeAll(): Summary[] {
    const taken = [...this.#takeEvicted(), ...this.#summaries.values()];
    this.#summaries.clear();
    return taken;
  }

  #takeEvicted(): Summary[] {
    const taken = this.#evicted;
    this.#evicted = [];
    return taken;
  }

  #take(customerId: string, spared: number): boolean {
    const nowMs = this.#nowMs();
    const { left: before, atMs } = this.#budgets.get(customerId) ?? { left: Infinity, atMs: nowMs };
    const left = Math.min(before + (nowMs - atMs) / refillMs, maxAtOnce + reserve);
    const taken = left - spared >= 1;
    this.#budgets.set(customerId, { left: left - Number(taken), atMs: nowMs });
    return taken;
  }

  #summarize(call: CallInfo, outcome: Outcome, latencyMs: number, day: Day): void {
    const name = `${call.access.keyId} ${day}`;
    const summary = this.#summaries.get(name);
    if (summary === undefined) {
      const first = {
        call,
        outcome,
        latencyMs,
        others: 0,
        problems: new Map<string, number>(),
        sinceMs: this.#nowMs(),
      };
      this.#summaries.set(name, first);
      return;
    }
    const { problem } = summary.outcome;
    if (problem !== undefined) addProblem(summary.problems, problem);
    summary.others += 1;
    summary.call = call;
    summary.outcome = outcome;
    summary.latencyMs = latencyMs;
  }
}

/** Counts a problem by its name. */
export function addProblem(counts: Map<string, number>, problem: string): void {
  const name = problemName(readProblem(problem));
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
