/** Longer polling would not pay: a response that is not from a nearby API takes longer anyway. */
const maxPollMs = 0.1;
/** After this many misses in a row, one in 2 ** maxMisses attempts still polls. */
const maxMisses = 8;

/**
 * Keeps the event loop spinning for a moment instead of sleeping when something is likely to arrive at once: the response to the only
 * running call, or the next call of a sequential caller. Sleeping and waking takes longer than a nearby API takes to respond (decision 019).
 *
 * Backs off exponentially: after a miss the next attempt is skipped, after a second miss the next three, then seven. Each arrival in time
 * removes one miss.
 */
export class BusyPoll {
  #expecting = false;
  #polling = false;
  /** 0 until the first poll, so that an arrival in the same turn costs no clock read. */
  #deadlineMs = 0;
  #misses = 0;
  /** Attempts still to skip. */
  #skips = 0;

  /** Starts polling, unless backing off. */
  expect(): void {
    this.#expecting = true;
    this.#deadlineMs = 0;
    if (this.#polling) return;
    if (this.#skips > 0) {
      this.#skips -= 1;
      return;
    }
    this.#polling = true;
    setImmediate(this.#poll);
  }

  arrived(): void {
    if (this.#expecting && this.#polling && this.#misses > 0) this.#misses -= 1;
    this.#expecting = false;
  }

  /** Stops polling without counting a hit or a miss. */
  cancel(): void {
    this.#expecting = false;
  }

  readonly #poll = (): void => {
    if (!this.#expecting) {
      this.#polling = false;
      return;
    }
    const now = performance.now();
    if (this.#deadlineMs === 0) this.#deadlineMs = now + maxPollMs;
    if (now < this.#deadlineMs) {
      setImmediate(this.#poll);
      return;
    }
    this.#polling = false;
    this.#expecting = false;
    this.#misses = Math.min(this.#misses + 1, maxMisses);
    this.#skips = 2 ** this.#misses - 1;
  };
}
