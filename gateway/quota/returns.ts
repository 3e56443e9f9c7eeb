import type { Day } from '#domain/day.ts';
import { keptBy } from '#domain/quota.ts';
import { remainingCalls } from '#domain/rate-limit.ts';
import { type BookLease, isRemovable, isIdle, offerToOthers, type QuotaBook } from './book.ts';
import type { QuotaLeft, QuotaRelease } from './store.ts';

/** What is given back at once, and the replies to those who asked for units. */
export interface Release {
  leases: { book: QuotaBook; lease: BookLease; keep: number }[];
  answers: string[];
}

export function toStored({ book, lease, keep }: Release['leases'][number]): QuotaRelease {
  return { activation: book.activationId, cycle: lease.cycleId, day: lease.day, key: lease.keyId, keep };
}

export interface ReturnsDeps {
  journalId: string;
  /** Something waits to be given back: do it soon. */
  runCounting: () => void;
  /** Starts what the book needs next. */
  pump: (book: QuotaBook) => void;
}

/** Gives units back: those of days and cycles that ended, those that nobody uses, and those that others lack. */
export class Returns {
  readonly #books: Map<string, QuotaBook>;
  readonly #deps: ReturnsDeps;
  /** Requests about activations of which nothing is held here. */
  #recallsWithoutBook: string[] = [];

  constructor(books: Map<string, QuotaBook>, deps: ReturnsDeps) {
    this.#books = books;
    this.#deps = deps;
  }

  /** Units of an activation are lacking, at another gateway or for another activation of the same free quota. */
  onRecall(activationId: string, request: string): void {
    const book = this.#books.get(activationId);
    if (book !== undefined && book.request === request) return;
    if (book === undefined) this.#recallsWithoutBook.push(request);
    for (const lease of book?.leases ?? []) offerToOthers(lease);
    book?.recallRequests.push(request);
    this.#deps.runCounting();
  }

  /** The activation's access has changed: what it does not use goes back at once. */
  releaseUnused(activationId: string): void {
    for (const lease of this.#books.get(activationId)?.leases ?? []) lease.due = true;
    this.#deps.runCounting();
  }

  /** What is to be given back now (`all`: everything that is not in use); its leases hand out nothing until `finishRelease`. */
  start(today: Day, all: boolean): Release {
    const release: Release = {
      leases: [],
      answers: this.#recallsWithoutBook.map((request) => this.#returned(request)),
    };
    this.#recallsWithoutBook = [];
    for (const book of this.#books.values()) this.#startWith(book, release, today, all);
    return release;
  }

  #startWith(book: QuotaBook, release: Release, today: Day, all: boolean): void {
    if (!book.busy || book.recalling) {
      for (const request of book.recallRequests) release.answers.push(this.#returned(request));
      book.recallRequests = [];
    }
    if (book.busy) return;
    const now = performance.now();
    for (const lease of book.leases) {
      if (!all && !lease.due && !isIdle(lease, today, now)) continue;
      lease.keyLeft += lease.available;
      lease.available = 0;
      lease.due = false;
      book.busy = true;
      release.leases.push({ book, lease, keep: keptBy(lease) });
    }
    if (book.leases.length === 0 && book.underWay === 0 && remainingCalls(book.window, now) === book.window.limit) {
      this.#books.delete(book.activationId);
    }
  }

  #returned(request: string): string {
    return `returned ${request} ${this.#deps.journalId}`;
  }

  /** `left`: what the database says is left now; undefined when it did not reply, and the same is given back again. */
  finish(release: Release, left: readonly QuotaLeft[] | undefined): void {
    for (const { lease } of release.leases) if (left === undefined) lease.due = true;
    for (const each of left ?? []) this.#learn(each);
    for (const book of new Set(release.leases.map((each) => each.book))) {
      book.busy = false;
      book.leases = book.leases.filter((lease) => !isRemovable(lease));
      this.#deps.pump(book);
    }
  }

  #learn(left: QuotaLeft): void {
    for (const lease of this.#books.get(left.activationId)?.leases ?? []) {
      if (lease.day === left.day) lease.dayLeft = left.dayLeft ?? lease.dayLeft;
      if (lease.cycleId === left.cycleId) lease.cycleLeft = left.cycleLeft ?? lease.cycleLeft;
      lease.exhaustedUntilMs = 0;
    }
  }
}
