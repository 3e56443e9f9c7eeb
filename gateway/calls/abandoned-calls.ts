/** Counts calls that a product is still working on after their callers have disconnected. */
export class AbandonedCalls {
  #calls = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#calls += 1;
  }

  end(): void {
    this.#calls -= 1;
    if (this.#calls === 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when all of them have ended, or after the timeout. */
  drain(timeoutMs: number): Promise<void> {
    if (this.#calls === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, timeoutMs);
      this.#waiting.push(() => {
        clearTimeout(deadline);
        resolve();
      });
    });
  }
}
