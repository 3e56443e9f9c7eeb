import type { BookLease, QuotaBook } from './book.ts';

/**
 * The unit of quota that one call holds. Its state only moves forward (held → used → returned, or held → returned), so a unit goes back to
 * its lease at most once, however many events report the end of the call.
 */
export class QuotaUnit {
  readonly book: QuotaBook;
  /** The lease it was taken from. */
  readonly lease: BookLease;
  #state: 'held' | 'used' | 'returned' = 'held';

  constructor(book: QuotaBook, lease: BookLease) {
    this.book = book;
    this.lease = lease;
  }

  /** The call counts. False if the unit isn't held any more. */
  use(): boolean {
    if (this.#state !== 'held') return false;
    this.#state = 'used';
    return true;
  }

  /** The call ended without counting. False if the unit isn't held any more. */
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
