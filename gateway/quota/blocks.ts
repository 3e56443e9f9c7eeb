import { nextBlock } from '#shared/domain/quota.ts';
import {
  type BookLease,
  contendedMs,
  isLow,
  offerToOthers,
  remainingFor,
  type QuotaBook,
  refuseTooLarge,
  refuseWaiting,
  grantWaiting,
  siblingsWithUnits,
  unitsNeeded,
} from './book.ts';
import type { Recalls } from './recall.ts';
import type { QuotaGrant, QuotaRequest } from './store.ts';

export interface BlocksDeps {
  takeQuota: (request: QuotaRequest) => Promise<QuotaGrant | undefined>;
  /** Syncs the journal before a new block is handed out, so a power cut loses at most one block of calls and the rest of the one before. */
  synced: () => Promise<void>;
  recalls: Recalls;
  /** Counts and releases now, because leases or replies are waiting to be sent. */
  runCounting: () => void;
  /** The database says that the cycle no longer gives access. */
  onEnded: (activationId: string) => void;
}

/** A gateway may take units right after it replied to a recall, so an empty recall is repeated this often before calls are refused. */
const maxEmptyRecalls = 3;
const exhaustedMs = 500;

/** Takes blocks of units from the database, one statement per activation at a time. If none are left, it recalls unused units from other gateways. */
export class Blocks {
  readonly #deps: BlocksDeps;

  constructor(deps: BlocksDeps) {
    this.#deps = deps;
  }

  /** Starts taking units for the first lease that needs some, unless a statement is already running. */
  pump(book: QuotaBook): void {
    if (book.busy) return;
    const { runCounting } = this.#deps;
    const now = performance.now();
    const lease = book.leases.find((each) => each.waiting.length > 0 || isLow(each, now));
    if (lease === undefined) return;
    // Units of another day or cycle go back first, so that they can be taken again.
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

  /** Takes blocks until no call waits for this lease or no units are left. */
  async #fill(book: QuotaBook, lease: BookLease): Promise<void> {
    const { recalls } = this.#deps;
    for (let emptyRecalls = 0; emptyRecalls !== Infinity;) {
      const recall = recalls.open();
      book.request = recall;
      try {
        emptyRecalls = await this.#round(book, lease, recall, emptyRecalls);
      } finally {
        book.recalling = false;
        book.request = '';
        recalls.close(recall);
      }
    }
  }

  /** Takes one block, and recalls units if it was too small. Returns the number of empty recalls in a row; Infinity when done. */
  async #round(book: QuotaBook, lease: BookLease, recall: string, emptyRecalls: number): Promise<number> {
    const { recalls, runCounting, onEnded } = this.#deps;
    const last = emptyRecalls >= maxEmptyRecalls;
    const taken = await this.#take(book, lease, recall, last);
    if (taken === undefined) {
      // It is released before anything is taken for it again: a lease that is low would ask again at once, without end.
      lease.due = true;
      onEnded(book.activationId);
      refuseWaiting(lease, 'ended');
      return Infinity;
    }
    if (lease.waiting.length === 0) return Infinity;
    const emptySoFar = taken.granted > 0 ? 0 : emptyRecalls;
    // Calls that came meanwhile were not part of the request, so no other gateway was asked on their behalf.
    if (!taken.short && emptySoFar < maxEmptyRecalls) return emptySoFar;
    const siblings = siblingsWithUnits(book, lease, smallestUseful(lease));
    if (siblings.length > 0) {
      // Units that this process holds for other keys go back first; `pump` then tries again.
      for (const other of siblings) offerToOthers(other);
      return Infinity;
    }
    if (lease.available > 0) {
      // Too few for the first call: they go back, or two gateways could each hold a part of what one call needs.
      offerToOthers(lease);
      return Infinity;
    }
    if (emptySoFar >= maxEmptyRecalls || taken.holders.length === 0) {
      lease.exhaustedUntilMs = performance.now() + exhaustedMs;
      refuseTooLarge(lease);
      return lease.waiting.length === 0 ? Infinity : 0;
    }
    lease.contendedUntilMs = performance.now() + contendedMs;
    // Other gateways may be waiting for this one meanwhile, so it replies now: it has no units left.
    book.recalling = true;
    if (book.recallRequests.length > 0) runCounting();
    return (await recalls.waitForReplies(recall, taken.holders)) ? emptySoFar + 1 : maxEmptyRecalls;
  }

  /** Takes a block; undefined if the cycle gives no access. `last`: without recalling units from others. */
  async #take(book: QuotaBook, lease: BookLease, recall: string, last: boolean) {
    const needed = last ? 0 : unitsNeeded(lease);
    const taking = this.#deps.takeQuota({
      activationId: book.activationId,
      cycleId: lease.cycleId,
      day: lease.day,
      keyId: lease.keyId,
      wanted: wantedFor(lease),
      least: smallestUseful(lease),
      needed,
      recall,
    });
    // Calls that the database has counted need no sync.
    const [taken, kept] = await Promise.allSettled([taking, lease.uncounted > 0 && this.#deps.synced()]);
    if (taken.status === 'rejected') throw taken.reason;
    if (kept.status === 'rejected') throw kept.reason;
    const grant = taken.value;
    if (grant === undefined) return undefined;
    applyGrant(grant, book, lease);
    return { holders: grant.holders, granted: grant.granted, short: grant.granted < needed };
  }
}

/** Fewer units than these would not admit the first waiting call. */
function smallestUseful(lease: BookLease): number {
  return Math.max(1, (lease.waiting[0]?.units ?? 1) - lease.available);
}

function wantedFor(lease: BookLease): number {
  const now = performance.now();
  return nextBlock({
    previous: lease.block,
    lastedMs: now - lease.grantedAtMs,
    left: lease.block === 0 ? undefined : remainingFor(lease),
    waiting: unitsNeeded(lease),
    contended: lease.contendedUntilMs > now,
  });
}

/** Adds the granted units, and updates the remaining quota on all leases of the same day or cycle. */
function applyGrant(grant: QuotaGrant, book: QuotaBook, lease: BookLease): void {
  lease.available += grant.granted;
  for (const other of book.leases) {
    if (other.day === lease.day) other.dayLeft = grant.dayLeft;
    if (other.cycleId === lease.cycleId) other.cycleLeft = grant.cycleLeft;
  }
  lease.keyLeft = grant.keyLeft ?? Number.POSITIVE_INFINITY;
  lease.memberLeft = grant.memberLeft ?? Number.POSITIVE_INFINITY;
  lease.block = grant.granted;
  lease.grantedAtMs = performance.now();
  grantWaiting(lease);
}
