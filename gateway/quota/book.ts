import type { Day } from '#shared/domain/day.ts';
import { emptyLease, handOut, isEmpty, keptBy, type Lease } from '#shared/domain/quota.ts';
import { createRateWindow, type RateWindow } from '#shared/domain/rate-limit.ts';
import type { EncodedKind } from '#gateway/journal/lines.ts';

/** The rate window and leases of one activation. It outlives cached keys, so a change of access resets no limit. */
export interface QuotaBook {
  activationId: string;
  window: RateWindow;
  leases: BookLease[];
  /** A statement about one of its leases is running: takes and releases of an activation never overlap. */
  busy: boolean;
  /** Id of the running request for units; '' if none. */
  request: string;
  /** All its units are handed out, and it waits for other gateways to return theirs. */
  recalling: boolean;
  /** Requests of other gateways for unused units that need a reply. */
  recallRequests: string[];
  /** Calls of the customer in progress. */
  underWay: number;
}

/** The lease for one cycle on one day, and the calls that wait for its units in order. */
export interface BookLease extends Lease {
  cycleId: string;
  day: Day;
  /** The key whose cap or limit applies; '' for all keys without one. */
  keyId: string;
  /** The member who made the key and has a limit; '' without a limit. */
  memberId: string;
  /** Units of the key's cap that nobody has taken, as last read from the database; Infinity without a cap. */
  keyLeft: number;
  /** The same of the limit of the member who made the key. */
  memberLeft: number;
  waiting: Waiter[];
  /** The journal kinds of its calls, by key and units, then by status class and whether they count. */
  kinds: Map<string, EncodedKind[]>;
  /** The cached parts of its rate-limit headers. */
  headerParts: HeaderParts | undefined;
  /** Size of the last block, and when it was granted. */
  block: number;
  grantedAtMs: number;
  lastUsedMs: number;
  /** Fewer than `exhaustedUnits` were left; no new request for as many before this time. */
  exhaustedUntilMs: number;
  exhaustedUnits: number;
  /** Others need units: until then, take no more than calls wait for. */
  contendedUntilMs: number;
  /** Release its unused units with the next counting: it ended, was recalled, or a grant may have been lost on the way. */
  due: boolean;
}

/**
 * The constant parts of a lease's rate-limit headers, between the numbers that change with each call. They stay valid for a second, or
 * until the other quota becomes the scarcer one. Joining costs time per part, so there are as few as possible.
 */
export interface HeaderParts {
  /** The parts are valid for these three values. Days end with the calendar, so the seconds left of the day change together with these. */
  cycleSeconds: number;
  byCycle: boolean;
  limit: number;
  afterDaily: string;
  afterMonthly: string;
  /** Of a lease of a key: after what is left of its cap and of its member's limit. */
  afterKey: string;
  beforeLeft: string;
  end: string;
}

/** `exhausted`: nothing left; `ended`: the cycle no longer gives access; `unavailable`: the database failed or took too long. */
export type WaitOutcome = 'granted' | 'exhausted' | 'ended' | 'unavailable';

export interface Waiter {
  sinceMs: number;
  /** Units that the call needs. */
  units: number;
  resolve: (outcome: WaitOutcome) => void;
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

/** The book's lease for a cycle, day and key, if any. */
export function findLease(book: QuotaBook, cycleId: string, day: Day, keyId: string): BookLease | undefined {
  for (const lease of book.leases) {
    if (lease.cycleId === cycleId && lease.day === day && lease.keyId === keyId) return lease;
  }
  return undefined;
}

/** Adds a lease in front. Leases of another day or cycle have ended by then, so they become due. */
export function addLease(book: QuotaBook, cycleId: string, day: Day, keyId: string): BookLease {
  for (const other of book.leases) other.due ||= other.cycleId !== cycleId || other.day !== day;
  const lease: BookLease = {
    ...emptyLease(),
    cycleId,
    day,
    keyId,
    memberId: '',
    keyLeft: Number.POSITIVE_INFINITY,
    memberLeft: Number.POSITIVE_INFINITY,
    waiting: [],
    kinds: new Map(),
    headerParts: undefined,
    block: 0,
    grantedAtMs: 0,
    lastUsedMs: performance.now(),
    exhaustedUntilMs: 0,
    exhaustedUnits: 1,
    contendedUntilMs: 0,
    due: false,
  };
  book.leases.unshift(lease);
  return lease;
}

/**
 * The lease to which a unit of `lease` belongs now: `lease` itself or its successor in the book. A response may break off after its lease
 * was returned and removed; then the lease is added again.
 */
export function currentLease(book: QuotaBook, lease: BookLease): BookLease {
  const present = findLease(book, lease.cycleId, lease.day, lease.keyId);
  if (present === undefined) book.leases.push(lease);
  return present ?? lease;
}

/** Units that could still be taken for it, as last read from the database. */
export function remainingFor(lease: BookLease): number {
  return Math.min(lease.dayLeft, lease.cycleLeft, lease.keyLeft, lease.memberLeft);
}

/**
 * Other leases of the same activation whose unused units it could take once they are returned: none where its cap leaves fewer than `least`, and
 * only those of the same member where the member's limit does.
 */
export function siblingsWithUnits(book: QuotaBook, lease: BookLease, least: number): BookLease[] {
  if (lease.keyLeft < least) return [];
  const isOfUse = (other: BookLease) => lease.memberLeft >= least || other.memberId === lease.memberId;
  return book.leases.filter((other) => other !== lease && other.available > 0 && isOfUse(other));
}

/** Is less than a quarter of its block left, with more to take, no contention, and nothing to release first? */
export function isLow(lease: BookLease, nowMs: number): boolean {
  return !lease.due && lease.available * 4 < lease.block && remainingFor(lease) > 0 && lease.contendedUntilMs <= nowMs;
}

/** How long a lease takes no more than its calls wait for after others lacked units. */
export const contendedMs = 2000;

/** Returns its unused units with the next counting, for others that need them. */
export function offerToOthers(lease: BookLease): void {
  lease.due = true;
  lease.contendedUntilMs = performance.now() + contendedMs;
}

/** Can it be removed from the book? */
export function isRemovable(lease: BookLease): boolean {
  return isEmpty(lease) && !lease.due && lease.waiting.length === 0;
}

/** Has its day ended, or has it been unused for so long that its units should go back? */
export function isIdle(lease: BookLease, today: Day, nowMs: number): boolean {
  const over = lease.day !== today || nowMs - lease.lastUsedMs >= idleMs;
  return over && lease.waiting.length === 0 && (lease.available > 0 || keptBy(lease) === 0);
}

/** Long enough that a customer who calls every few seconds keeps its lease. Others that need the units recall them at once. */
const idleMs = 10_000;

/** Units of this lease go back to the quotas. The next statement about them brings the database's own numbers. */
export function recordReturn(book: QuotaBook, lease: BookLease, units: number): void {
  for (const other of book.leases) {
    if (other.day === lease.day) other.dayLeft += units;
    if (other.cycleId === lease.cycleId) other.cycleLeft += units;
  }
  lease.keyLeft += units;
  lease.memberLeft += units;
}

/** Hands available units to waiting calls, in their order. */
export function grantWaiting(lease: BookLease): void {
  let served = 0;
  for (const waiter of lease.waiting) {
    if (!handOut(lease, waiter.units)) break;
    served += 1;
  }
  for (const waiter of lease.waiting.splice(0, served)) waiter.resolve('granted');
}

/** Units that waiting calls need beyond those that are available. */
export function unitsNeeded(lease: BookLease): number {
  let units = 0;
  for (const waiter of lease.waiting) units += waiter.units;
  return Math.max(0, units - lease.available);
}

/** Refuses the waiting calls that need more than is left, at least the first of them. */
export function refuseTooLarge(lease: BookLease): void {
  const left = remainingFor(lease) + lease.available;
  const [first] = lease.waiting;
  const tooLarge = lease.waiting.filter((waiter) => waiter === first || waiter.units > left);
  lease.waiting = lease.waiting.filter((waiter) => !tooLarge.includes(waiter));
  lease.exhaustedUnits = Math.min(...tooLarge.map(({ units }) => units));
  for (const waiter of tooLarge) waiter.resolve('exhausted');
}

export function refuseWaiting(lease: BookLease, outcome: WaitOutcome): void {
  for (const waiter of lease.waiting.splice(0)) waiter.resolve(outcome);
}
