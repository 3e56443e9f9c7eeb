import type { Day } from '#domain/day.ts';
import { handBack, handOut, keptBy, nextBlock, settleUnit, takeBack, useUp } from '#domain/quota.ts';
import { remainingCalls, withLimit } from '#domain/rate-limit.ts';
import type { CallTally } from '#gateway/journal/store.ts';
import {
  addLease,
  type BookLease,
  contendedMs,
  createBook,
  findLease,
  isLow,
  isOver,
  isUnused,
  leaveToOthers,
  leftFor,
  presentLease,
  type QuotaBook,
  type Release,
  refuseWaiting,
  serveWaiting,
  siblingsWithUnits,
  type WaitOutcome,
} from './book.ts';
import type { Recalls } from './recall.ts';
import type { QuotaGrant, QuotaLeft, QuotaRequest } from './store.ts';
import type { QuotaUnit } from './unit.ts';

/** Hands out units of quota from memory, and knows what to ask the database for and what to give back to it. */
export interface QuotaDesk {
  /** The book of an activation, under the calls per second that its cycle allows now. */
  book: (activationId: string, rps: number) => QuotaBook;
  lease: (book: QuotaBook, cycleId: string, day: Day, keyId: string) => BookLease;
  /** Takes one unit for a call: at once when there is one in memory, else after asking the database. `now`: by the monotonic clock. */
  take: (book: QuotaBook, lease: BookLease, now: number) => true | Promise<WaitOutcome>;
  /** The call of a unit ended without counting. False, and nothing changes, if the unit isn't held any more. */
  giveBack: (unit: QuotaUnit) => boolean;
  /** The call of a unit counts; what was answered stands in the journal. False if the unit isn't held any more. */
  use: (unit: QuotaUnit) => boolean;
  /** The same for a call that the database has counted already. */
  settle: (unit: QuotaUnit) => boolean;
  /** A call that counted is taken back, once. */
  undo: (unit: QuotaUnit) => boolean;
  /** The database has counted these calls. */
  confirm: (tallies: readonly CallTally[]) => void;
  /** Units of an activation are lacking, at another gateway or for another activation of the same free quota. */
  recalled: (activationId: string, asker: string) => void;
  /** The activation's access has changed: what it does not use goes back at once. */
  letGo: (activationId: string) => void;
  /** Refuses the calls that have waited for too long. */
  sweep: () => void;
  /** What is to be given back now (`all`: everything that is not in use); its leases hand out nothing until `released`. */
  startRelease: (today: Day, all: boolean) => Release;
  released: (release: Release, left: readonly QuotaLeft[] | undefined) => void;
  /** Is nothing held, and no statement under way? */
  empty: () => boolean;
}

/** A gateway whose first call came after it had answered may have taken more than it needs: it is asked again, until so many times gave nothing. */
const recallRounds = 3;
const exhaustedMs = 500;
const longestWaitMs = 2000;

export interface QuotaDeskDeps {
  takeQuota: (ask: QuotaRequest) => Promise<QuotaGrant | undefined>;
  /** Brings what was answered to the disk: a power cut takes no more calls of a customer than a block and what was left of the one before. */
  synced: () => Promise<void>;
  recalls: Recalls;
  journalId: string;
  /** Something waits to be given back: do it soon. */
  wake: () => void;
  /** A cycle that was believed to give access does not. */
  onEnded: (activationId: string) => void;
}

export function createQuotaDesk({ takeQuota, synced, recalls, journalId, wake, onEnded }: QuotaDeskDeps): QuotaDesk {
  const books = new Map<string, QuotaBook>();
  let looseAskers: string[] = [];

  const openBook = (activationId: string, rps: number): QuotaBook => {
    let book = books.get(activationId);
    if (book === undefined) books.set(activationId, (book = createBook(activationId, rps)));
    return book;
  };

  /** Asks for a block; undefined when the cycle gives no access. */
  const askOnce = async (book: QuotaBook, lease: BookLease, recall: string, last: boolean) => {
    const now = performance.now();
    const waiting = lease.waiting.length;
    const needed = last ? 0 : waiting;
    const wanted = nextBlock({
      previous: lease.block,
      lastedMs: now - lease.grantedAtMs,
      left: lease.block === 0 ? undefined : leftFor(lease),
      waiting,
      contended: lease.contendedUntilMs > now,
    });
    const taking = takeQuota({
      activationId: book.activationId,
      cycleId: lease.cycleId,
      day: lease.day,
      keyId: lease.keyId,
      wanted,
      needed,
      recall,
    });
    // What PostgreSQL has counted needs no journal.
    const [taken, kept] = await Promise.allSettled([taking, lease.uncounted > 0 && synced()]);
    if (taken.status === 'rejected') throw taken.reason;
    if (kept.status === 'rejected') throw kept.reason;
    const grant = taken.value;
    if (grant === undefined) return undefined;
    lease.available += grant.granted;
    for (const other of book.leases) {
      if (other.day === lease.day) other.dayLeft = grant.dayLeft;
      if (other.cycleId === lease.cycleId) other.cycleLeft = grant.cycleLeft;
    }
    lease.keyLeft = grant.keyLeft ?? Number.POSITIVE_INFINITY;
    lease.block = grant.granted;
    lease.grantedAtMs = performance.now();
    serveWaiting(lease);
    return { holders: grant.holders, granted: grant.granted, short: grant.granted < needed };
  };

  const ask = async (book: QuotaBook, lease: BookLease): Promise<void> => {
    for (let fruitless = 0; ;) {
      const recall = recalls.begin();
      book.request = recall;
      try {
        const answer = await askOnce(book, lease, recall, fruitless >= recallRounds);
        if (answer === undefined) {
          onEnded(book.activationId);
          return refuseWaiting(lease, 'ended');
        }
        if (lease.waiting.length === 0) return undefined;
        if (answer.granted > 0) fruitless = 0;
        // Enough for those who waited then; for calls that came meanwhile nobody was asked yet.
        if (!answer.short && fruitless < recallRounds) continue;
        const siblings = lease.keyLeft > 0 ? siblingsWithUnits(book, lease) : [];
        if (siblings.length > 0) {
          // What this process itself holds for other keys goes back first; `pump` asks again then.
          for (const other of siblings) leaveToOthers(other);
          return undefined;
        }
        if (fruitless >= recallRounds || answer.holders.length === 0) {
          lease.exhaustedUntilMs = performance.now() + exhaustedMs;
          return refuseWaiting(lease, 'exhausted');
        }
        fruitless += 1;
        lease.contendedUntilMs = performance.now() + contendedMs;
        // While this waits for others, others may wait for it: it answers, having nothing.
        book.recalling = true;
        if (book.askers.length > 0) wake();
        if (!(await recalls.answered(recall, answer.holders))) fruitless = recallRounds;
      } finally {
        book.recalling = false;
        book.request = '';
        recalls.end(recall);
      }
    }
  };

  /** Starts what the book needs next, unless something is under way. */
  const pump = (book: QuotaBook): void => {
    if (book.busy) return;
    const now = performance.now();
    const lease = book.leases.find((each) => each.waiting.length > 0 || isLow(each, now));
    if (lease === undefined) return;
    // What is left over from another day or cycle goes back first, so that it can be had again.
    if (book.leases.some((other) => other.due && other.available > 0)) return wake();
    book.busy = true;
    ask(book, lease)
      .catch(() => {
        lease.due = true;
        lease.block = 0;
        refuseWaiting(lease, 'unavailable');
      })
      .finally(() => {
        book.busy = false;
        if (book.askers.length > 0) wake();
        pump(book);
      });
  };

  const releaseFrom = (book: QuotaBook, release: Release, today: Day, all: boolean): void => {
    if (!book.busy || book.recalling) {
      for (const request of book.askers) release.answers.push(`returned ${request} ${journalId}`);
      book.askers = [];
    }
    if (book.busy) return;
    const now = performance.now();
    for (const lease of book.leases) {
      if (!all && !lease.due && !isUnused(lease, today, now)) continue;
      lease.keyLeft += lease.available;
      lease.available = 0;
      lease.due = false;
      book.busy = true;
      release.leases.push({ book, lease, keep: keptBy(lease) });
    }
    if (book.leases.length === 0 && book.underWay === 0 && remainingCalls(book.window, now) === book.window.limit) {
      books.delete(book.activationId);
    }
  };

  const learnLeft = (left: QuotaLeft): void => {
    for (const lease of books.get(left.activationId)?.leases ?? []) {
      if (lease.day === left.day) lease.dayLeft = left.dayLeft ?? lease.dayLeft;
      if (lease.cycleId === left.cycleId) lease.cycleLeft = left.cycleLeft ?? lease.cycleLeft;
      lease.exhaustedUntilMs = 0;
    }
  };

  return {
    book: (activationId, rps) => {
      const book = openBook(activationId, rps);
      if (book.window.limit !== rps) book.window = withLimit(book.window, rps);
      return book;
    },
    lease: (book, cycleId, day, keyId) => findLease(book, cycleId, day, keyId) ?? addLease(book, cycleId, day, keyId),
    take: (book, lease, now) => {
      lease.lastUsedMs = now;
      if (lease.waiting.length === 0 && handOut(lease)) {
        if (isLow(lease, now)) pump(book);
        return true;
      }
      if (lease.exhaustedUntilMs > now) return Promise.resolve('exhausted');
      return new Promise((tell) => {
        lease.waiting.push({ sinceMs: now, tell });
        pump(book);
      });
    },
    giveBack: (unit) => {
      if (!unit.giveBack()) return false;
      handBack(unit.lease);
      serveWaiting(unit.lease);
      return true;
    },
    use: (unit) => {
      if (!unit.use()) return false;
      useUp(unit.lease);
      return true;
    },
    settle: (unit) => {
      if (!unit.use()) return false;
      settleUnit(unit.lease);
      return true;
    },
    undo: (unit) => {
      if (!unit.undo()) return false;
      const lease = presentLease(openBook(unit.book.activationId, unit.book.window.limit), unit.lease);
      takeBack(lease);
      serveWaiting(lease);
      return true;
    },
    confirm: (tallies) => {
      for (const tally of tallies) {
        const book = books.get(tally.activation);
        const lease = book && findLease(book, tally.cycle, tally.day, tally.lease);
        if (tally.counted && lease !== undefined) lease.uncounted -= tally.calls;
      }
    },
    recalled: (activationId, request) => {
      const book = books.get(activationId);
      if (book !== undefined && book.request === request) return;
      if (book === undefined) looseAskers.push(request);
      for (const lease of book?.leases ?? []) leaveToOthers(lease);
      book?.askers.push(request);
      wake();
    },
    letGo: (activationId) => {
      for (const lease of books.get(activationId)?.leases ?? []) lease.due = true;
      wake();
    },
    sweep: () => {
      const tooOld = performance.now() - longestWaitMs;
      for (const lease of [...books.values()].flatMap(({ leases }) => leases)) {
        if ((lease.waiting[0]?.sinceMs ?? tooOld) < tooOld) refuseWaiting(lease, 'unavailable');
      }
    },
    startRelease: (today, all) => {
      const release: Release = {
        leases: [],
        answers: looseAskers.map((request) => `returned ${request} ${journalId}`),
      };
      looseAskers = [];
      for (const book of books.values()) releaseFrom(book, release, today, all);
      return release;
    },
    empty: () => [...books.values()].every((book) => book.leases.length === 0 && !book.busy),
    released: (release, left) => {
      for (const { lease } of release.leases) if (left === undefined) lease.due = true;
      for (const each of left ?? []) learnLeft(each);
      for (const book of new Set(release.leases.map((each) => each.book))) {
        book.busy = false;
        book.leases = book.leases.filter((lease) => !isOver(lease));
        pump(book);
      }
    },
  };
}
