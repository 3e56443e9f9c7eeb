/** What is near comes sooner; what does not is worth no more. */
const longestMs = 0.1;
/** After so many misses in a row one time in 2 to this power is still tried. */
const mostMisses = 8;

/**
 * Keeps the process awake for a moment when it would sleep, and something may come at once: the answer to the only call under way, or the
 * next call of a caller who makes one after another. To fall asleep and be woken takes longer than a near API takes to answer.
 *
 * What did not come in that moment is not awaited so the next time, after a second miss the next three times, then seven; each
 * time that something came in time takes one miss back.
 */
export class BusyPoll {
  #expecting = false;
  #polling = false;
  /** 0 until the first look, so that what comes in the same turn costs no look at the clock. */
  #untilMs = 0;
  #misses = 0;
  /** So many times more nothing is awaited. */
  #passOver = 0;

  /** Something may come soon. */
  expect(): void {
    this.#expecting = true;
    this.#untilMs = 0;
    if (this.#polling) return;
    if (this.#passOver > 0) {
      this.#passOver -= 1;
      return;
    }
    this.#polling = true;
    setImmediate(this.#look);
  }

  /** It came. */
  came(): void {
    if (this.#expecting && this.#polling && this.#misses > 0) this.#misses -= 1;
    this.#expecting = false;
  }

  /** Nothing is awaited any more. */
  cancel(): void {
    this.#expecting = false;
  }

  readonly #look = (): void => {
    if (!this.#expecting) {
      this.#polling = false;
      return;
    }
    const now = performance.now();
    if (this.#untilMs === 0) this.#untilMs = now + longestMs;
    if (now < this.#untilMs) {
      setImmediate(this.#look);
      return;
    }
    this.#polling = false;
    this.#expecting = false;
    this.#misses = Math.min(this.#misses + 1, mostMisses);
    this.#passOver = 2 ** this.#misses - 1;
  };
}
