import type { Day } from '#domain/day.ts';
import { emptyLease, handOut, keptBy, type Lease } from '#domain/quota.ts';
import { createRateWindow, type RateWindow } from '#domain/rate-limit.ts';

/** What this process holds for one activation. It outlives what is remembered of keys, so that a change of access frees no call. */
export interface QuotaBook {
  activationId: string;
  window: RateWindow;
  leases: BookLease[];
  /** A statement about one of its leases is under way: takes and releases of an activation never overlap. */
  busy: boolean;
  /** Its units were all handed out, and other gateways were asked for theirs. */
  recalling: boolean;
  /** Gateways that asked for what is not used here. */
  askers: string[];
}

/** The lease of one cycle on one day, and the calls that wait for its units, first come first served. */
export interface BookLease extends Lease {
  cycleId: string;
  day: Day;
  waiting: Waiter[];
  /** Units of the last block, and when it was granted. */
  block: number;
  grantedAtMs: number;
  lastUsedMs: number;
  /** Nothing was left; not worth asking again before this time. */
  exhaustedUntilMs: number;
  /** Others lack units: take no more than calls wait for. */
  contendedUntilMs: number;
  /** To be settled with the database at the next chance: given back, asked for, or a grant may have been lost on its way. */
  due: boolean;
}

/** Why a call that waited got no unit: nothing left, the cycle gives no access any more, the database did not answer. */
export type WaitOutcome = 'granted' | 'exhausted' | 'ended' | 'unavailable';

export interface Waiter {
  sinceMs: number;
  tell: (outcome: WaitOutcome) => void;
}

export function createBook(activationId: string, rps: number): QuotaBook {
  return { activationId, window: createRateWindow(rps), leases: [], busy: false, recalling: false, askers: [] };
}

/** The book's lease of a cycle and day, when there is one. */
export function findLease(book: QuotaBook, cycleId: string, day: Day): BookLease | undefined {
  for (const lease of book.leases) if (lease.cycleId === cycleId && lease.day === day) return lease;
  return undefined;
}

/** A new lease, which stands first; the others have seen their day or their cycle end. */
export function addLease(book: QuotaBook, cycleId: string, day: Day): BookLease {
  for (const other of book.leases) other.due = true;
  const lease: BookLease = {
    ...emptyLease(),
    cycleId,
    day,
    waiting: [],
    block: 0,
    grantedAtMs: 0,
    lastUsedMs: performance.now(),
    exhaustedUntilMs: 0,
    contendedUntilMs: 0,
    due: false,
  };
  book.leases.unshift(lease);
  return lease;
}

/** Is its block nearly used up, while there is more to be had? */
export function isLow(lease: BookLease, nowMs: number): boolean {
  return (
    lease.available * 4 < lease.block && lease.dayLeft > 0 && lease.cycleLeft > 0 && lease.contendedUntilMs <= nowMs
  );
}

/** Has nothing been asked of it for a while, so that what it holds is of more use elsewhere? */
export function isUnused(lease: BookLease, today: Day, nowMs: number): boolean {
  const over = lease.day !== today || nowMs - lease.lastUsedMs >= idleMs;
  return over && lease.waiting.length === 0 && (lease.available > 0 || keptBy(lease) === 0);
}

const idleMs = 1000;

/** Gives what is available to those who wait. */
export function serveWaiting(lease: BookLease): void {
  const served = lease.waiting.splice(0, lease.available);
  for (const waiter of served) {
    handOut(lease);
    waiter.tell('granted');
  }
}

export function refuseWaiting(lease: BookLease, outcome: WaitOutcome): void {
  for (const waiter of lease.waiting.splice(0)) waiter.tell(outcome);
}
