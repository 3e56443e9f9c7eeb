import type { Day } from '#domain/day.ts';
import { emptyLease, handOut, isEmpty, keptBy, type Lease } from '#domain/quota.ts';
import { createRateWindow, type RateWindow } from '#domain/rate-limit.ts';
import type { EncodedKind } from '#gateway/journal/lines.ts';

/** What this process holds for one activation. It outlives what is remembered of keys, so that a change of access frees no call. */
export interface QuotaBook {
  activationId: string;
  window: RateWindow;
  leases: BookLease[];
  /** A statement about one of its leases is under way: takes and releases of an activation never overlap. */
  busy: boolean;
  /** The request for units that is under way; '' when there is none. */
  request: string;
  /** Its units were all handed out, and other gateways were asked for theirs. */
  recalling: boolean;
  /** Gateways that asked for what is not used here. */
  recallRequests: string[];
  /** Calls of the customer that are under way. */
  underWay: number;
}

/** The lease of one cycle on one day, and the calls that wait for its units, first come first served. */
export interface BookLease extends Lease {
  cycleId: string;
  day: Day;
  /** The key whose cap it is under; '' for all keys without one. */
  keyId: string;
  /** What nobody has taken of the key's cap, as the database last said; endless without one. */
  keyLeft: number;
  waiting: Waiter[];
  /** What its calls are counted under, by key, and then by status class and whether they count. */
  kinds: Map<string, EncodedKind[]>;
  /** What its calls are told, as far as it does not change with each. */
  headerParts: HeaderParts | undefined;
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

/**
 * The headerParts of a lease's lines between the numbers that change with each call: they are the same for a second, or until the other quota
 * is the scarcer. Each piece costs something, so they are as few as can be.
 */
export interface HeaderParts {
  /** They hold while the cycle ends in so many seconds (its days end with those of the calendar), with this limit of this quota. */
  cycleSeconds: number;
  byCycle: boolean;
  limit: number;
  afterDaily: string;
  afterMonthly: string;
  beforeLeft: string;
  end: string;
}

/** Why a call that waited got no unit: nothing left, the cycle gives no access any more, the database did not answer. */
export type WaitOutcome = 'granted' | 'exhausted' | 'ended' | 'unavailable';

export interface Waiter {
  sinceMs: number;
  tell: (outcome: WaitOutcome) => void;
}

export function createBook(activationId: string, rps: number): QuotaBook {
  return {
    activationId,
    window: createRateWindow(rps),
    leases: [],
    busy: false,
    request: '',
    recalling: false,
    recallRequests: [],
    underWay: 0,
  };
}

/** The book's lease of a cycle, day and key, when there is one. */
export function findLease(book: QuotaBook, cycleId: string, day: Day, keyId: string): BookLease | undefined {
  for (const lease of book.leases) {
    if (lease.cycleId === cycleId && lease.day === day && lease.keyId === keyId) return lease;
  }
  return undefined;
}

/** A new lease, which stands first; those of another day or cycle have seen it end. */
export function addLease(book: QuotaBook, cycleId: string, day: Day, keyId: string): BookLease {
  for (const other of book.leases) other.due ||= other.cycleId !== cycleId || other.day !== day;
  const lease: BookLease = {
    ...emptyLease(),
    cycleId,
    day,
    keyId,
    keyLeft: Number.POSITIVE_INFINITY,
    waiting: [],
    kinds: new Map(),
    headerParts: undefined,
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

/**
 * The lease to which a unit of `lease` belongs now: `lease` itself, or the one that took its place in the book. A response may break off
 * after its lease was returned and forgotten; then the lease comes back.
 */
export function currentLease(book: QuotaBook, lease: BookLease): BookLease {
  const present = findLease(book, lease.cycleId, lease.day, lease.keyId);
  if (present === undefined) book.leases.push(lease);
  return present ?? lease;
}

/** What more could be taken for it, as the database last said. */
export function remainingFor(lease: BookLease): number {
  return Math.min(lease.dayLeft, lease.cycleLeft, lease.keyLeft);
}

/** Other leases of the same activation whose units it could have, once they are given back. */
export function siblingsWithUnits(book: QuotaBook, lease: BookLease): BookLease[] {
  return book.leases.filter((other) => other !== lease && other.available > 0);
}

/** Is its block nearly used up, while there is more to be had? */
export function isLow(lease: BookLease, nowMs: number): boolean {
  return lease.available * 4 < lease.block && remainingFor(lease) > 0 && lease.contendedUntilMs <= nowMs;
}

/** After others lacked units, no more than calls wait for is taken for so long. */
export const contendedMs = 2000;

/** What it doesn't use goes back at the next chance, for others who lack units. */
export function offerToOthers(lease: BookLease): void {
  lease.due = true;
  lease.contendedUntilMs = performance.now() + contendedMs;
}

/** May it be forgotten? */
export function isRemovable(lease: BookLease): boolean {
  return isEmpty(lease) && !lease.due && lease.waiting.length === 0;
}

/** Has nothing been asked of it for a while, so that what it holds is of more use elsewhere? */
export function isIdle(lease: BookLease, today: Day, nowMs: number): boolean {
  const over = lease.day !== today || nowMs - lease.lastUsedMs >= idleMs;
  return over && lease.waiting.length === 0 && (lease.available > 0 || keptBy(lease) === 0);
}

/** Customers who call every few seconds need not ask the database each time; others who lack units ask for them at once. */
const idleMs = 10_000;

/** One unit of this lease goes straight back to the quotas: there is more to be had again. */
export function recordReturn(book: QuotaBook, lease: BookLease): void {
  for (const other of book.leases) {
    if (other.day === lease.day) other.dayLeft += 1;
    if (other.cycleId === lease.cycleId) other.cycleLeft += 1;
  }
  lease.keyLeft += 1;
}

/** Gives what is available to those who wait. */
export function grantWaiting(lease: BookLease): void {
  const served = lease.waiting.splice(0, lease.available);
  for (const waiter of served) {
    handOut(lease);
    waiter.tell('granted');
  }
}

export function refuseWaiting(lease: BookLease, outcome: WaitOutcome): void {
  for (const waiter of lease.waiting.splice(0)) waiter.tell(outcome);
}
