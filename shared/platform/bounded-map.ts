/** A cache: a Map of at most `maxEntries`. Adding to a full one evicts the oldest entries, a few at once, which is cheaper than one by one. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number;
  readonly #onEvict: ((value: Value, key: Key) => void) | undefined;

  constructor(maxEntries: number, onEvict?: (value: Value, key: Key) => void) {
    super();
    this.#maxEntries = maxEntries;
    this.#onEvict = onEvict;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#maxEntries && !this.has(key)) this.#evictOldest();
    return super.set(key, value);
  }

  #evictOldest(): void {
    let left = Math.ceil(this.#maxEntries / 64);
    for (const [key, value] of this) {
      this.delete(key);
      this.#onEvict?.(value, key);
      left -= 1;
      if (left === 0) return;
    }
  }
}
