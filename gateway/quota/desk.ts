import type { Day } from '#shared/domain/day.ts';
import { handBack, handOut, settleUnits, takeBack, useUp } from '#shared/domain/quota.ts';
import { withLimit } from '#shared/domain/rate-limit.ts';
import type { CallTally } from '#gateway/journal/store.ts';
import { Blocks, type BlocksDeps } from './blocks.ts';
import {
  addLease,
  type BookLease,
  createBook,
  findLease,
  isLow,
  currentLease,
  type QuotaBook,
  refuseWaiting,
  grantWaiting,
  type WaitOutcome,
} from './book.ts';
import { type Release, Returns } from './returns.ts';
import type { QuotaLeft, QuotaRelease } from './store.ts';
import type { HeldUnits } from './held-units.ts';

/** Hands out units of quota from memory, takes blocks from the database, and releases unused units. */
export interface QuotaDesk {
  /** The book of an activation; `rps` is the limit of its current cycle. */
  book: (activationId: string, rps: number) => QuotaBook;
  /** `memberId`: the member with a limit who made the key. */
  lease: (book: QuotaBook, cycleId: string, day: Day, keyId: string, memberId?: string) => BookLease;
  /** Takes the units of one call: true at once if they are in memory, else a promise of the outcome. `now`: by the monotonic clock. */
  take: (book: QuotaBook, lease: BookLease, now: number, units: number) => true | Promise<WaitOutcome>;
  /** The call of these units ended without counting. False, and nothing changes, if they aren't held any more. */
  giveBack: (held: HeldUnits) => boolean;
  /** The call of these units counts, through the journal. False if they aren't held any more. */
  use: (held: HeldUnits) => boolean;
  /** The call of these units counts, and the database has already counted it. False if they aren't held any more. */
  settle: (held: HeldUnits) => boolean;
  /** Takes a counted call back, at most once. */
  undo: (held: HeldUnits) => boolean;
  /** The database has counted these calls. */
  confirm: (tallies: readonly CallTally[]) => void;
  /** Another gateway, or another activation with the same free quota, needs units of this activation. */
  onRecall: (activationId: string, request: string) => void;
  /** Releases the unused units of an activation whose access has changed. */
  releaseUnused: (activationId: string) => void;
  /** Returns all units that no call uses with the next release. `stored`: what the database has of this gateway, which may be more than is known here. */
  returnAll: (stored: readonly QuotaRelease[]) => void;
  /** Refuses calls that have waited for too long. */
  sweep: () => void;
  /** Collects what to release now (`all`: everything not in use). Its leases hand out nothing until `finishRelease`. */
  startRelease: (today: Day, all: boolean) => Release;
  finishRelease: (release: Release, left: readonly QuotaLeft[] | undefined) => void;
  /** Are there no leases and no running statements? */
  isEmpty: () => boolean;
}

export interface QuotaDeskDeps extends BlocksDeps {
  journalId: string;
  /** A call that waits for longer is refused. */
  timeoutMs: number;
}

export function createQuotaDesk(deps: QuotaDeskDeps): QuotaDesk {
  const books = new Map<string, QuotaBook>();
  const blocks = new Blocks(deps);
  const pump = (book: QuotaBook): void => blocks.pump(book);
  const returns = new Returns(books, { journalId: deps.journalId, runCounting: deps.runCounting, pump });

  const openBook = (activationId: string, rps: number): QuotaBook => {
    let book = books.get(activationId);
    if (book === undefined) books.set(activationId, (book = createBook(activationId, rps)));
    return book;
  };

  return {
    book: (activationId, rps) => {
      const book = openBook(activationId, rps);
      if (book.window.limit !== rps) book.window = withLimit(book.window, rps);
      return book;
    },
    lease: (book, cycleId, day, keyId, memberId = '') => {
      const lease = findLease(book, cycleId, day, keyId) ?? addLease(book, cycleId, day, keyId);
      lease.memberId = memberId;
      return lease;
    },
    take: (book, lease, now, units) => {
      lease.lastUsedMs = now;
      if (lease.waiting.length === 0 && handOut(lease, units)) {
        if (isLow(lease, now)) pump(book);
        return true;
      }
      // A free operation needs no quota, so it waits for none.
      if (units === 0) return true;
      if (lease.exhaustedUntilMs > now && units >= lease.exhaustedUnits) return Promise.resolve('exhausted');
      return new Promise((resolve) => {
        lease.waiting.push({ sinceMs: now, units, resolve });
        pump(book);
      });
    },
    giveBack: (held) => {
      if (!held.giveBack()) return false;
      handBack(held.lease, held.units);
      grantWaiting(held.lease);
      return true;
    },
    use: (held) => {
      if (!held.use()) return false;
      useUp(held.lease, held.units);
      return true;
    },
    settle: (held) => {
      if (!held.use()) return false;
      settleUnits(held.lease, held.units);
      return true;
    },
    undo: (held) => {
      if (!held.undo()) return false;
      const lease = currentLease(openBook(held.book.activationId, held.book.window.limit), held.lease);
      takeBack(lease, held.units);
      grantWaiting(lease);
      return true;
    },
    confirm: (tallies) => {
      for (const tally of tallies) {
        const book = books.get(tally.activation);
        const lease = book && findLease(book, tally.cycle, tally.day, tally.lease);
        if (tally.counted && lease !== undefined) lease.uncounted -= tally.calls * tally.units;
      }
    },
    sweep: () => {
      const tooOld = performance.now() - deps.timeoutMs;
      for (const lease of [...books.values()].flatMap(({ leases }) => leases)) {
        if ((lease.waiting[0]?.sinceMs ?? tooOld) < tooOld) refuseWaiting(lease, 'unavailable');
      }
    },
    onRecall: (activationId, request) => returns.onRecall(activationId, request),
    returnAll: (stored) => {
      for (const { activation, cycle, day, key } of stored) {
        const book = openBook(activation, 1);
        if (findLease(book, cycle, day, key) === undefined) addLease(book, cycle, day, key);
      }
      for (const activationId of books.keys()) returns.releaseUnused(activationId);
    },
    releaseUnused: (activationId) => returns.releaseUnused(activationId),
    startRelease: (today, all) => returns.start(today, all),
    finishRelease: (release, left) => returns.finish(release, left),
    isEmpty: () => [...books.values()].every((book) => book.leases.length === 0 && !book.busy),
  };
}
