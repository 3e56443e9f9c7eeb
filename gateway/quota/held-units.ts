import type { BookLease, QuotaBook } from './book.ts';

/**
 * The units of quota that one call holds. Their state only moves forward (held → used → returned, or held → returned), so they go back to
 * their lease at most once, however many events report the end of the call.
 */
export class HeldUnits {
  readonly book: QuotaBook;
  /** The lease they were taken from. */
  readonly lease: BookLease;
  readonly units: number;
  #state: 'held' | 'used' | 'returned' = 'held';

  constructor(book: QuotaBook, lease: BookLease, units = 1) {
    this.book = book;
    this.lease = lease;
    this.units = units;
  }

  /** The call counts. False if they aren't held any more. */
  use(): boolean {
    if (this.#state !== 'held') return false;
    this.#state = 'used';
    return true;
  }

  /** The call ended without counting. False if they aren't held any more. */
  giveBack(): boolean {
    if (this.#state !== 'held') return false;
    this.#state = 'returned';
    return true;
  }

  /** Takes a counted call back. False if it didn't count or was taken back before. */
  undo(): boolean {
    if (this.#state !== 'used') return false;
    this.#state = 'returned';
    return true;
  }
}
