import type { CallSum, EncodedKind } from './lines.ts';
import type { CallTally } from './store.ts';

/** What one journal knows of the calls of one kind: those of the line that is being put together, and those that nobody has taken yet. */
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

  /** Adds calls to the line; true when these are its first. */
  add(calls: number): boolean {
    const isFirst = !this.#isInLine;
    this.#isInLine = true;
    this.calls += calls;
    return isFirst;
  }

  /** The line is written; true when these are the first that nobody has taken. `atMs`: epoch milliseconds. */
  keepWritten(atMs: number): boolean {
    const isFirst = !this.#isWritten;
    this.#isWritten = true;
    this.#writtenCalls += this.calls;
    this.#writtenLastMs = Math.max(this.#writtenLastMs, atMs);
    return isFirst;
  }

  /** Begins the next line. */
  leaveLine(): void {
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
