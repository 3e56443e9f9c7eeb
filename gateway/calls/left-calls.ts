/** Calls whose callers have left while a product is still answering them. */
export class LeftCalls {
  #calls = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#calls += 1;
  }

  end(): void {
    this.#calls -= 1;
    if (this.#calls === 0) for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Resolves when they have all ended, or after `longestMs` milliseconds. */
  finish(longestMs: number): Promise<void> {
    if (this.#calls === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, longestMs);
      this.#waiting.push(() => {
        clearTimeout(deadline);
        resolve();
      });
    });
  }
}
