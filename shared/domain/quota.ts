/**
 * Leases on quota. The database knows how much of a day's and of a cycle's quota is taken; a gateway process leases
 * blocks of it and hands them out call by call. At every moment, taken in the database = counted + held by gateways,
 * and held by a gateway = available + in flight + used but not yet counted.
 */

/** The lease of one gateway process on one cycle's quota on one day, in units; changed in place. */
export interface Lease {
  /** Can be handed out now. */
  available: number;
  /** Handed out to calls that are still running. */
  inFlight: number;
  /** Used, but the database has not confirmed the count yet. */
  uncounted: number;
  /** What remains of the day's quota beyond all leases, as the database last reported. */
  dayLeft: number;
  /** The same for the cycle's quota. */
  cycleLeft: number;
}

/** An empty lease. */
export function emptyLease(): Lease {
  return { available: 0, inFlight: 0, uncounted: 0, dayLeft: 0, cycleLeft: 0 };
}

/** Hands out the units of one call; false when there are fewer. */
export function handOut(lease: Lease, units = 1): boolean {
  if (lease.available < units) return false;
  lease.available -= units;
  lease.inFlight += units;
  return true;
}

/** A call ended without counting: its units can be handed out again. */
export function handBack(lease: Lease, units = 1): void {
  lease.inFlight -= units;
  lease.available += units;
}

/** A call ended and counts: its units wait to be counted in the database. */
export function useUp(lease: Lease, units = 1): void {
  lease.inFlight -= units;
  lease.uncounted += units;
}

/** A call counts and the database has counted it: its units are gone. */
export function settleUnits(lease: Lease, units = 1): void {
  lease.inFlight -= units;
}

/** A count is reversed (the response was cut off): its units can be handed out again. */
export function takeBack(lease: Lease, units = 1): void {
  lease.uncounted -= units;
  lease.available += units;
}

/** What a lease must keep when everything available is returned. */
export function keptBy(lease: Lease): number {
  return lease.inFlight + lease.uncounted;
}

/** True when it holds nothing and no count is pending. Pending counts can be negative: a reversed count. */
export function isEmpty(lease: Lease): boolean {
  return lease.available === 0 && lease.inFlight === 0 && lease.uncounted === 0;
}

/** How many more units the day's and the cycle's quota allow, as far as this process knows. */
export function remainingOf(lease: Lease): { daily: number; monthly: number } {
  return { daily: lease.dayLeft + lease.available, monthly: lease.cycleLeft + lease.available };
}

/**
 * Blocks should last about this long, except for customers with a few calls per second: long enough to be rare, short
 * enough that little is stranded when a process dies.
 */
export const blockTargetMs = 1000;

/** Used until the remaining quota is known. */
const firstBlock = 4;
const smallestBlock = 16;
const largestBlock = 5000;
/** A customer who starts at a thousand calls per second reaches blocks of that size after three of them. */
const fastestGrowth = 16;

/** What is known when a block is requested. */
export interface BlockHistory {
  /** Units of the previous block; 0 for none. */
  previous: number;
  /** Time since it was granted. */
  lastedMs: number;
  /** What remained of both quotas at that time; undefined before the first request. */
  left: number | undefined;
  /** Units that calls wait for now. */
  waiting: number;
  /** Other processes request units of the same quota. */
  contended: boolean;
}

/**
 * How many units to request: as many as wait and, while plenty remains, as many as a block's time will need. A block is
 * at most an eighth of what remains, so that processes that share a quota reach its end together; when others already
 * had to recall units, only what waiting calls need is taken.
 */
export function nextBlock({ previous, lastedMs, left, waiting, contended }: BlockHistory): number {
  if (contended) return waiting;
  let wish = smallestBlock;
  if (previous > 0) {
    const pace = (previous * blockTargetMs) / Math.max(lastedMs, 1);
    wish = Math.min(Math.max(smallestBlock, Math.ceil(pace)), previous * fastestGrowth, largestBlock);
  }
  const share = left === undefined ? firstBlock : Math.ceil(left / 8);
  return Math.max(waiting, Math.min(wish, share), 1);
}

/**
 * When the monthly quota of a cycle is given again (epoch milliseconds): with the end of the window of free quota in which it started
 * (product §7.3; null: it started in none), otherwise with its own.
 */
export function monthlyResetsAt(endsAt: number, windowEndsAt: number | null, now: number): number {
  return windowEndsAt !== null && now < windowEndsAt && windowEndsAt < endsAt ? windowEndsAt : endsAt;
}
