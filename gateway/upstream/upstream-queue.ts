import { createFairQueue } from '#shared/platform/fair-queue.ts';
import { BusyPoll } from './busy-poll.ts';
import type { SlotQueue } from './caller-wait.ts';

/**
 * Limits the concurrent calls to one product. Further calls are queued per customer and served round-robin, so a customer that sends too
 * much delays only its own calls, which are rejected before they get old (decision 015).
 */
export interface UpstreamQueue extends SlotQueue {
  /** Starts or queues a call, or rejects it if the customer's queue is too old. `customer`: its id. */
  enqueue: (customer: string, call: QueuedCall) => QueueTicket;
  calls: () => { running: number; queued: number };
}

/** Exactly one of these is called, unless the ticket is released first. */
export interface QueuedCall {
  start: (ticket: QueueTicket) => void;
  reject: () => void;
}

/** Release it when the call is done or no longer wanted. Further releases have no effect. */
export interface QueueTicket {
  /** It was started and is not released. */
  holdsSlot: () => boolean;
  release: () => void;
}

export interface UpstreamQueueSettings {
  /** Maximum concurrent calls. */
  slots: number;
  /** Once a customer's oldest queued call is older than this, further calls of that customer are rejected. */
  maxQueueAgeMs: number;
}

class Ticket implements QueueTicket {
  readonly customer: string;
  readonly call: QueuedCall;
  readonly #release: (ticket: Ticket) => void;
  sinceMs = 0;
  state: 'queued' | 'started' | 'released' = 'queued';

  constructor(customer: string, call: QueuedCall, release: (ticket: Ticket) => void) {
    this.customer = customer;
    this.call = call;
    this.#release = release;
  }

  holdsSlot(): boolean {
    return this.state === 'started';
  }

  release(): void {
    if (this.state !== 'released') this.#release(this);
  }
}

/** A queued call is rejected once it is this many times older than `maxQueueAgeMs`. */
const rejectAgeFactor = 2;

export function createUpstreamQueue({ slots, maxQueueAgeMs }: UpstreamQueueSettings): UpstreamQueue {
  // No single customer can occupy all slots, so another one's first calls start at once.
  const maxPerCustomer = Math.max(1, Math.floor((slots * 7) / 8));
  const queue = createFairQueue<string, Ticket>();
  const runningOf = new Map<string, number>();
  let filling = false;
  let running = 0;
  let sweepTimer: NodeJS.Timeout | undefined;
  /** Poll for the response while one call is running, and for the next call while none is. With several, the process rarely sleeps. */
  const responsePoll = new BusyPoll();
  const nextCallPoll = new BusyPoll();

  const mayStart = (customer: string): boolean => running < slots && (runningOf.get(customer) ?? 0) < maxPerCustomer;

  const start = (ticket: Ticket): void => {
    running += 1;
    if (running === 1) {
      nextCallPoll.arrived();
      responsePoll.expect();
    } else responsePoll.cancel();
    runningOf.set(ticket.customer, (runningOf.get(ticket.customer) ?? 0) + 1);
    ticket.state = 'started';
    ticket.call.start(ticket);
  };

  const takeNext = (): Ticket | undefined => (running < slots ? queue.take(mayStart) : undefined);

  const fillSlots = (): void => {
    // A call that ends while it starts comes here again.
    if (filling) return;
    filling = true;
    for (let next = takeNext(); next !== undefined; next = takeNext()) start(next);
    filling = false;
  };

  const rejectExpired = (): void => {
    const oldest = performance.now() - maxQueueAgeMs * rejectAgeFactor;
    for (const ticket of queue.takeDue(({ sinceMs }) => sinceMs < oldest)) {
      ticket.state = 'released';
      ticket.call.reject();
    }
    if (queue.size() > 0) return;
    clearInterval(sweepTimer);
    sweepTimer = undefined;
  };

  const release = (ticket: Ticket): void => {
    const wasStarted = ticket.state === 'started';
    if (wasStarted) {
      const ofCustomer = runningOf.get(ticket.customer) ?? 0;
      if (ofCustomer > 1) runningOf.set(ticket.customer, ofCustomer - 1);
      else runningOf.delete(ticket.customer);
      running -= 1;
      if (running === 0) responsePoll.arrived();
    } else if (ticket.state === 'queued') queue.remove(ticket.customer, ticket);
    ticket.state = 'released';
    if (queue.size() > 0) fillSlots();
    if (wasStarted && running === 0) nextCallPoll.expect();
  };

  return {
    slots,
    wanted: () => (running < slots ? 0 : queue.size()),
    enqueue: (customer, call) => {
      const ticket = new Ticket(customer, call, release);
      const first = queue.size() === 0 ? undefined : queue.first(customer);
      if (first === undefined && mayStart(customer)) {
        start(ticket);
        return ticket;
      }
      const now = performance.now();
      if (now - (first?.sinceMs ?? now) > maxQueueAgeMs) {
        ticket.state = 'released';
        call.reject();
        return ticket;
      }
      ticket.sinceMs = now;
      queue.push(customer, ticket);
      sweepTimer ??= setInterval(rejectExpired, 50).unref();
      return ticket;
    },
    calls: () => ({ running, queued: queue.size() }),
  };
}
