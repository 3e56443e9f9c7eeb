import { nextBlock } from '#domain/quota.ts';
import {
  type BookLease,
  contendedMs,
  isLow,
  offerToOthers,
  remainingFor,
  type QuotaBook,
  refuseWaiting,
  grantWaiting,
  siblingsWithUnits,
} from './book.ts';
import type { Recalls } from './recall.ts';
import type { QuotaGrant, QuotaRequest } from './store.ts';

export interface BlocksDeps {
  takeQuota: (ask: QuotaRequest) => Promise<QuotaGrant | undefined>;
  /** Writes the journal to the disk: a power cut loses no more calls of a customer than a block and what was left of the one before. */
  synced: () => Promise<void>;
  recalls: Recalls;
  /** Something waits to be given back: do it soon. */
  runCounting: () => void;
  /** A cycle that was believed to give access does not. */
  onEnded: (activationId: string) => void;
}

/** A gateway whose first call came after it had replied may have taken more than it needs: it is asked again, until so many times gave nothing. */
const recallRounds = 3;
const exhaustedMs = 500;

/** Takes blocks of units from the database, one statement for each activation at a time; asks other gateways for theirs when nothing is left. */
export class Blocks {
  readonly #deps: BlocksDeps;

  constructor(deps: BlocksDeps) {
    this.#deps = deps;
  }

  /** Starts what the book needs next, unless something is under way. */
  pump(book: QuotaBook): void {
    if (book.busy) return;
    const { runCounting } = this.#deps;
    const now = performance.now();
    const lease = book.leases.find((each) => each.waiting.length > 0 || isLow(each, now));
    if (lease === undefined) return;
    // What is left over from another day or cycle goes back first, so that it can be had again.
    if (book.leases.some((other) => other.due && other.available > 0)) {
      runCounting();
      return;
    }
    book.busy = true;
    this.#fill(book, lease)
      .catch(() => {
        lease.due = true;
        lease.block = 0;
        refuseWaiting(lease, 'unavailable');
      })
      .finally(() => {
        book.busy = false;
        if (book.recallRequests.length > 0) runCounting();
        this.pump(book);
      });
  }

  /** Until nobody waits for a unit of the lease, or nothing more is to be had. */
  async #fill(book: QuotaBook, lease: BookLease): Promise<void> {
    const { recalls } = this.#deps;
    for (let emptyRecalls = 0; emptyRecalls !== Infinity;) {
      const recall = recalls.begin();
      book.request = recall;
      try {
        emptyRecalls = await this.#round(book, lease, recall, emptyRecalls);
      } finally {
        book.recalling = false;
        book.request = '';
        recalls.end(recall);
      }
    }
  }

  /** Asks once. `emptyRecalls`: how many recalls in a row have brought nothing. Returns it anew; Infinity when nothing more is to be done. */
  async #round(book: QuotaBook, lease: BookLease, recall: string, emptyRecalls: number): Promise<number> {
    const { recalls, runCounting, onEnded } = this.#deps;
    const last = emptyRecalls >= recallRounds;
    const taken = await this.#take(book, lease, recall, last);
    if (taken === undefined) {
      onEnded(book.activationId);
      refuseWaiting(lease, 'ended');
      return Infinity;
    }
    if (lease.waiting.length === 0) return Infinity;
    const inVain = taken.granted > 0 ? 0 : emptyRecalls;
    // Enough for those who waited then; for calls that came meanwhile nobody was asked yet.
    if (!taken.short && inVain < recallRounds) return inVain;
    const siblings = lease.keyLeft > 0 ? siblingsWithUnits(book, lease) : [];
    if (siblings.length > 0) {
      // What this process itself holds for other keys goes back first; `pump` asks again then.
      for (const other of siblings) offerToOthers(other);
      return Infinity;
    }
    if (inVain >= recallRounds || taken.holders.length === 0) {
      lease.exhaustedUntilMs = performance.now() + exhaustedMs;
      refuseWaiting(lease, 'exhausted');
      return Infinity;
    }
    lease.contendedUntilMs = performance.now() + contendedMs;
    // While this waits for others, others may wait for it: it replies, having nothing.
    book.recalling = true;
    if (book.recallRequests.length > 0) runCounting();
    return (await recalls.answered(recall, taken.holders)) ? inVain + 1 : recallRounds;
  }

  /** Takes a block; undefined when the cycle gives no access. `last`: others are not asked for theirs. */
  async #take(book: QuotaBook, lease: BookLease, recall: string, last: boolean) {
    const needed = last ? 0 : lease.waiting.length;
    const taking = this.#deps.takeQuota({
      activationId: book.activationId,
      cycleId: lease.cycleId,
      day: lease.day,
      keyId: lease.keyId,
      wanted: wantedFor(lease),
      needed,
      recall,
    });
    // What PostgreSQL has counted needs no journal.
    const [taken, kept] = await Promise.allSettled([taking, lease.uncounted > 0 && this.#deps.synced()]);
    if (taken.status === 'rejected') throw taken.reason;
    if (kept.status === 'rejected') throw kept.reason;
    const grant = taken.value;
    if (grant === undefined) return undefined;
    enter(grant, book, lease);
    return { holders: grant.holders, granted: grant.granted, short: grant.granted < needed };
  }
}

function wantedFor(lease: BookLease): number {
  const now = performance.now();
  return nextBlock({
    previous: lease.block,
    lastedMs: now - lease.grantedAtMs,
    left: lease.block === 0 ? undefined : remainingFor(lease),
    waiting: lease.waiting.length,
    contended: lease.contendedUntilMs > now,
  });
}

/** Enters what was granted, and what all leases of the same day or cycle learn from it. */
function enter(grant: QuotaGrant, book: QuotaBook, lease: BookLease): void {
  lease.available += grant.granted;
  for (const other of book.leases) {
    if (other.day === lease.day) other.dayLeft = grant.dayLeft;
    if (other.cycleId === lease.cycleId) other.cycleLeft = grant.cycleLeft;
  }
  lease.keyLeft = grant.keyLeft ?? Number.POSITIVE_INFINITY;
  lease.block = grant.granted;
  lease.grantedAtMs = performance.now();
  grantWaiting(lease);
}
