import type { CallSum, EncodedKind } from './lines.ts';
import type { CallTally } from './store.ts';

/** The calls of one kind in a journal: those in the current line, and those written but not counted in the database yet. */
export class KindSum implements CallSum {
  readonly of: EncodedKind;
  calls = 0;
  #isInLine = false;
  #writtenCalls = 0;
  #writtenLastMs = 0;
  #isWritten = false;

  constructor(of: EncodedKind) {
    this.of = of;
  }

  /** Adds calls to the current line; true if this kind was not in the line yet. */
  add(calls: number): boolean {
    const isFirst = !this.#isInLine;
    this.#isInLine = true;
    this.calls += calls;
    return isFirst;
  }

  /** Marks the calls of the current line as written; true if none of this kind were pending. `atMs`: epoch milliseconds. */
  markWritten(atMs: number): boolean {
    const isFirst = !this.#isWritten;
    this.#isWritten = true;
    this.#writtenCalls += this.calls;
    this.#writtenLastMs = Math.max(this.#writtenLastMs, atMs);
    return isFirst;
  }

  /** Starts the next line. */
  startLine(): void {
    this.#isInLine = false;
    this.calls = 0;
  }

  drainWritten(): CallTally {
    const tally = { ...this.of.kind, calls: this.#writtenCalls, lastMs: this.#writtenLastMs };
    this.#isWritten = false;
    this.#writtenCalls = 0;
    this.#writtenLastMs = 0;
    return tally;
  }
}
