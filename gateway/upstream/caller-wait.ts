/** A caller that has held up its call for this long may be why the API gives up: servers close connections on which nothing moves. */
export const slowCallerMs = 1000;

/** How long one call has waited for its caller. */
export class CallerWait {
  #sinceMs: number | undefined;
  #waitedMs = 0;

  /** The call can't go on before the caller does its part. */
  begin(): void {
    this.#sinceMs ??= performance.now();
  }

  end(): void {
    this.#waitedMs = this.waitedMs();
    this.#sinceMs = undefined;
  }

  /** In total, now included. */
  waitedMs(): number {
    return this.#sinceMs === undefined ? this.#waitedMs : this.#waitedMs + performance.now() - this.#sinceMs;
  }
}
