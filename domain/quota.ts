/**
 * Quota on lease. The truth (how much of a day's and of a cycle's quota is taken) stands in the database; a gateway process
 * takes blocks of it and hands them out call by call. At every moment, what the truth says is taken = what was counted + what
 * gateways hold, and what a gateway holds = available + in flight + answered but not yet counted.
 */

/** What one gateway process holds of one cycle's quota on one day, in calls; changed in place. */
export interface Lease {
  /** May be handed out at once. */
  available: number;
  /** Handed out to calls that are not answered yet. */
  inFlight: number;
  /** Answered, but the database has not confirmed the count yet. */
  uncounted: number;
  /** What nobody has taken of the day's quota, as the database last said. */
  dayLeft: number;
  /** The same of the cycle's quota. */
  cycleLeft: number;
}

/** A lease that holds nothing. */
export function emptyLease(): Lease {
  return { available: 0, inFlight: 0, uncounted: 0, dayLeft: 0, cycleLeft: 0 };
}

/** Hands out one unit to a call; false when none is available. */
export function handOut(lease: Lease): boolean {
  if (lease.available === 0) return false;
  lease.available -= 1;
  lease.inFlight += 1;
  return true;
}

/** A call ended without counting: its unit may be handed out again. */
export function handBack(lease: Lease): void {
  lease.inFlight -= 1;
  lease.available += 1;
}

/** A call was answered and counts: its unit waits for the database. */
export function useUp(lease: Lease): void {
  lease.inFlight -= 1;
  lease.uncounted += 1;
}

/** A call counts and the database has counted it: its unit is gone. */
export function settleUnit(lease: Lease): void {
  lease.inFlight -= 1;
}

/** A call that was used up is taken back (its answer broke off): its unit may be handed out again. */
export function takeBack(lease: Lease): void {
  lease.uncounted -= 1;
  lease.available += 1;
}

/** What a lease must keep when all that is available is given back. */
export function keptBy(lease: Lease): number {
  return lease.inFlight + lease.uncounted;
}

/** Does it hold nothing, and wait for no count? What waits can be less than nothing: a count that was taken back. */
export function isEmpty(lease: Lease): boolean {
  return lease.available === 0 && lease.inFlight === 0 && lease.uncounted === 0;
}

/** How many more calls the day's and the cycle's quota allow, as far as this process can know. */
export function remainingOf(lease: Lease): { daily: number; monthly: number } {
  return { daily: lease.dayLeft + lease.available, monthly: lease.cycleLeft + lease.available };
}

/** Blocks should last about this long, but for customers who make a few calls a second: long enough to be rare, short enough that little is stranded when a process dies. */
export const blockTargetMs = 1000;

/** Before it is known how much is left. */
const firstBlock = 4;
const smallestBlock = 16;
const largestBlock = 5000;
/** A customer who begins to call a thousand times a second has blocks for that after three of them. */
const fastestGrowth = 16;

/** What is known when a block is asked for. */
export interface BlockHistory {
  /** Units of the previous block; 0 for none. */
  previous: number;
  /** How long ago it was granted. */
  lastedMs: number;
  /** What was left of both quotas then; undefined when never asked. */
  left: number | undefined;
  /** Calls that wait for a unit now. */
  waiting: number;
  /** Other processes want units of the same quota. */
  contended: boolean;
}

/**
 * How many units to ask for: as many as wait, and, while plenty is left, as many as a block's time will need. A block is never more
 * than an eighth of what is left, so that processes that share a quota come to its end together; when others already had to ask
 * for theirs back, only what calls wait for is taken.
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
