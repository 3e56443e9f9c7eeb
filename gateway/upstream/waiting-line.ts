import { createFairQueue } from '#platform/fair-queue.ts';
import { BusyPoll } from './busy-poll.ts';

/**
 * The way into one product: so many calls at a time, and behind them one line for each customer, served in turn. Whoever sends
 * too much waits behind its own calls, and is refused before the wait grows long.
 */
export interface WaitingLine {
  /** Starts a call now or in its turn, or gives it up when that would take too long. `customer` is told by identity. */
  enter: (customer: object, entrant: Entrant) => Place;
}

/** A call that wants to be made: it is either started or given up, unless it leaves before. */
export interface Entrant {
  start: () => void;
  giveUp: () => void;
}

/** A call's place; it must be left once, when the call is over or is not wanted any more. */
export interface Place {
  leave: () => void;
}

export interface WaitingLineSettings {
  /** Calls at a time. */
  slots: number;
  /** So long the first in a customer's line may have waited while more are still let in. */
  patienceMs: number;
}

class Waiter implements Place {
  readonly customer: object;
  readonly entrant: Entrant;
  readonly #leave: (waiter: Waiter) => void;
  sinceMs = 0;
  state: 'waiting' | 'started' | 'gone' = 'waiting';

  constructor(customer: object, entrant: Entrant, leave: (waiter: Waiter) => void) {
    this.customer = customer;
    this.entrant = entrant;
    this.#leave = leave;
  }

  leave(): void {
    this.#leave(this);
  }
}

/** Nobody waits longer than this many times the patience. */
const longestPatience = 2;

export function createWaitingLine({ slots, patienceMs }: WaitingLineSettings): WaitingLine {
  // One customer alone leaves room for the first calls of the next.
  const mostOfOne = Math.max(1, Math.floor((slots * 7) / 8));
  const lines = createFairQueue<object, Waiter>();
  /** Calls under way of each customer. */
  const startedOf = new WeakMap<object, { calls: number }>();
  let started = 0;
  let sweeping: NodeJS.Timeout | undefined;
  /** With one call under way its answer is awaited, with none the next call; with several the process seldom sleeps. */
  const answer = new BusyPoll();
  const nextCall = new BusyPoll();

  const mayStart = (customer: object): boolean => started < slots && (startedOf.get(customer)?.calls ?? 0) < mostOfOne;

  const begin = (waiter: Waiter): void => {
    started += 1;
    if (started === 1) {
      nextCall.came();
      answer.expect();
    } else answer.cancel();
    const ofCustomer = startedOf.get(waiter.customer);
    if (ofCustomer === undefined) startedOf.set(waiter.customer, { calls: 1 });
    else ofCustomer.calls += 1;
    waiter.state = 'started';
    waiter.entrant.start();
  };

  const takeNext = (): Waiter | undefined => (started < slots ? lines.take(mayStart) : undefined);

  /** Gives free slots to the customers who wait, one call each in turn. */
  const serve = (): void => {
    for (let next = takeNext(); next !== undefined; next = takeNext()) begin(next);
  };

  const sweep = (): void => {
    const tooOld = performance.now() - patienceMs * longestPatience;
    for (const waiter of lines.takeDue(({ sinceMs }) => sinceMs < tooOld)) {
      waiter.state = 'gone';
      waiter.entrant.giveUp();
    }
    if (lines.size() > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  };

  const leave = (waiter: Waiter): void => {
    const wasStarted = waiter.state === 'started';
    if (wasStarted) {
      const ofCustomer = startedOf.get(waiter.customer);
      if (ofCustomer !== undefined) ofCustomer.calls -= 1;
      started -= 1;
      if (started === 0) answer.came();
    } else if (waiter.state === 'waiting') lines.remove(waiter.customer, waiter);
    waiter.state = 'gone';
    if (lines.size() > 0) serve();
    if (wasStarted && started === 0) nextCall.expect();
  };

  return {
    enter: (customer, entrant) => {
      const waiter = new Waiter(customer, entrant, leave);
      const first = lines.size() === 0 ? undefined : lines.first(customer);
      if (first === undefined && mayStart(customer)) {
        begin(waiter);
        return waiter;
      }
      const now = performance.now();
      if (now - (first?.sinceMs ?? now) > patienceMs) {
        waiter.state = 'gone';
        entrant.giveUp();
        return waiter;
      }
      waiter.sinceMs = now;
      lines.push(customer, waiter);
      sweeping ??= setInterval(sweep, 50).unref();
      return waiter;
    },
  };
}
