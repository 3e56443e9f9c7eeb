import type { Day } from '#shared/domain/day.ts';
import { keptBy } from '#shared/domain/quota.ts';
import { remainingCalls } from '#shared/domain/rate-limit.ts';
import { type BookLease, isRemovable, isIdle, offerToOthers, type QuotaBook, recordReturn } from './book.ts';
import type { QuotaLeft, QuotaRelease } from './store.ts';

/** Leases to release in one statement, and replies to recalls that are sent with it. */
export interface Release {
  leases: { book: QuotaBook; lease: BookLease; keep: number }[];
  replies: string[];
}

export function toStored({ book, lease, keep }: Release['leases'][number]): QuotaRelease {
  return { activation: book.activationId, cycle: lease.cycleId, day: lease.day, key: lease.keyId, keep };
}

export interface ReturnsDeps {
  journalId: string;
  /** Counts and releases now, because leases or replies are waiting to be sent. */
  runCounting: () => void;
  /** Takes units for calls that wait. */
  pump: (book: QuotaBook) => void;
}

/** Releases units of ended days and cycles, of idle leases, and those that others need. */
export class Returns {
  readonly #books: Map<string, QuotaBook>;
  readonly #deps: ReturnsDeps;
  /** Recalls of activations without a book: nothing to return, but they need a reply. */
  #recallsWithoutBook: string[] = [];

  constructor(books: Map<string, QuotaBook>, deps: ReturnsDeps) {
    this.#books = books;
    this.#deps = deps;
  }

  /** Another gateway, or another activation with the same free quota, needs units of this activation. */
  onRecall(activationId: string, request: string): void {
    const book = this.#books.get(activationId);
    if (book !== undefined && book.request === request) return;
    if (book === undefined) this.#recallsWithoutBook.push(request);
    for (const lease of book?.leases ?? []) offerToOthers(lease);
    book?.recallRequests.push(request);
    this.#deps.runCounting();
  }

  /** Releases the unused units of an activation whose access has changed. */
  releaseUnused(activationId: string): void {
    for (const lease of this.#books.get(activationId)?.leases ?? []) {
      lease.due = true;
      // A pack may have been added.
      lease.exhaustedUntilMs = 0;
    }
    this.#deps.runCounting();
  }

  /** Collects what to release now (`all`: everything not in use). Its leases hand out nothing until `finish`. */
  start(today: Day, all: boolean): Release {
    const release: Release = {
      leases: [],
      replies: this.#recallsWithoutBook.map((request) => this.#replyTo(request)),
    };
    this.#recallsWithoutBook = [];
    for (const book of this.#books.values()) this.#addLeases(book, release, today, all);
    return release;
  }

  #addLeases(book: QuotaBook, release: Release, today: Day, all: boolean): void {
    if (!book.busy || book.recalling) {
      for (const request of book.recallRequests) release.replies.push(this.#replyTo(request));
      book.recallRequests = [];
    }
    if (book.busy) return;
    const now = performance.now();
    for (const lease of book.leases) {
      if (!all && !lease.due && !isIdle(lease, today, now)) continue;
      // They stay unused while the statement runs, so no header may miss them.
      recordReturn(book, lease, lease.available);
      lease.available = 0;
      lease.due = false;
      book.busy = true;
      release.leases.push({ book, lease, keep: keptBy(lease) });
    }
    if (book.leases.length === 0 && book.underWay === 0 && remainingCalls(book.window, now) === book.window.limit) {
      this.#books.delete(book.activationId);
    }
  }

  #replyTo(request: string): string {
    return `returned ${request} ${this.#deps.journalId}`;
  }

  /** `left`: the remaining quotas; undefined if the statement failed, and then the same leases are released again. */
  finish(release: Release, left: readonly QuotaLeft[] | undefined): void {
    for (const { lease } of release.leases) if (left === undefined) lease.due = true;
    for (const each of left ?? []) this.#updateRemaining(each);
    for (const book of new Set(release.leases.map((each) => each.book))) {
      book.busy = false;
      book.leases = book.leases.filter((lease) => !isRemovable(lease));
      this.#deps.pump(book);
    }
  }

  #updateRemaining(left: QuotaLeft): void {
    for (const lease of this.#books.get(left.activationId)?.leases ?? []) {
      if (lease.day === left.day) lease.dayLeft = left.dayLeft ?? lease.dayLeft;
      if (lease.cycleId === left.cycleId) lease.cycleLeft = left.cycleLeft ?? lease.cycleLeft;
      lease.exhaustedUntilMs = 0;
    }
  }
}
