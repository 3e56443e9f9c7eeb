/** A caller that has held up its call for this long is slow: others need the slot, and the API may give up because of it. */
export const slowCallerMs = 1000;
/** A caller that moves 64 KB a second is not slow, as for uploads (`requestTimeoutMs`). */
const bytesPerMs = 64;

/** What a call can't go on without: its caller, an earlier response on the same connection, or the API. */
export type WaitsFor = 'caller' | 'earlier-response' | 'api';

/** One wait of a call for its caller, who must take its response or send the rest of its body. */
export interface CallerWait {
  /** The call can't go on before the caller moves. `bytes`: what it was given to take. */
  begin: (bytes: number) => void;
  /** The caller has taken everything, or has sent `bytes`. */
  moved: (bytes: number) => void;
  end: () => void;
  /** In total, the running wait included. */
  waitedMs: () => number;
}

/** A call that its caller may hold up. */
export interface HeldUpCall {
  /** The queue of which it holds a slot, if it does. */
  slotOf: () => SlotQueue | undefined;
  /** Ends the call as if its caller had disconnected. */
  giveUp: () => void;
}

/** Where slots are scarce. */
export interface SlotQueue {
  slots: number;
  /** How many calls would start if as many slots were free; 0 while some are. */
  wanted: () => number;
}

export interface CallerWaits {
  /** `waitsFor` tells what the call waits for at this moment. */
  open: (call: HeldUpCall, waitsFor: () => WaitsFor) => CallerWait;
}

const sweepMs = 100;

/**
 * Watches the calls that wait for their callers (decision 056). A caller that doesn't move for `timeoutMs` is given up, or for longer if it was given so
 * much that a caller that is not slow takes longer: what is taken of it can't be seen before all of it is. So is, while other calls
 * queue for slots, the slowest of those that are slow, as long as such calls hold more than half of the slots.
 */
export function createCallerWaits(timeoutMs: number): CallerWaits {
  /** In the order in which they began. */
  const waiting = new Set<Wait>();
  let timer: NodeJS.Timeout | undefined;

  const sweep = (): void => {
    if (waiting.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const nowMs = performance.now();
    for (const wait of waiting) {
      if (wait.sinceMs > nowMs - timeoutMs) break;
      if (wait.sinceMs + wait.takesMs() > nowMs - timeoutMs) continue;
      if (wait.waitsFor() === 'caller') wait.call.giveUp();
      else wait.restart(nowMs);
    }
    for (const [queue, slow] of slowByQueue(waiting, nowMs)) {
      const tooMany = Math.min(queue.wanted(), slow.length - Math.floor(queue.slots / 2));
      slow.sort((one, other) => other.lagMs(nowMs) - one.lagMs(nowMs));
      for (const { call } of slow.slice(0, Math.max(0, tooMany))) call.giveUp();
    }
  };

  return {
    open: (call, waitsFor) =>
      new Wait(call, waitsFor, waiting, () => {
        timer ??= setInterval(sweep, sweepMs).unref();
      }),
  };
}

/** The calls that hold slots which others need, and whose callers are slow. */
function slowByQueue(waiting: ReadonlySet<Wait>, nowMs: number): Map<SlotQueue, Wait[]> {
  const slow = new Map<SlotQueue, Wait[]>();
  for (const wait of waiting) {
    const queue = wait.call.slotOf();
    if (queue === undefined || queue.wanted() === 0 || wait.lagMs(nowMs) < slowCallerMs) continue;
    if (wait.waitsFor() === 'api') {
      wait.restart(nowMs);
      continue;
    }
    const ofQueue = slow.get(queue);
    if (ofQueue === undefined) slow.set(queue, [wait]);
    else ofQueue.push(wait);
  }
  return slow;
}

class Wait implements CallerWait {
  readonly call: HeldUpCall;
  readonly waitsFor: () => WaitsFor;
  readonly #waiting: Set<Wait>;
  readonly #watch: () => void;
  sinceMs = 0;
  #bytes = 0;
  #waitedMs = 0;
  /** How far it had fallen behind a caller that is not slow, before the running wait. */
  #lagMs = 0;

  constructor(call: HeldUpCall, waitsFor: () => WaitsFor, waiting: Set<Wait>, watch: () => void) {
    this.call = call;
    this.waitsFor = waitsFor;
    this.#waiting = waiting;
    this.#watch = watch;
  }

  begin(bytes: number): void {
    this.#bytes += bytes;
    if (this.#waiting.has(this)) return;
    this.sinceMs = performance.now();
    this.#waiting.add(this);
    this.#watch();
  }

  moved(bytes: number): void {
    this.end();
    this.#lagMs = Math.max(0, this.#lagMs - (this.#bytes + bytes) / bytesPerMs);
    this.#bytes = 0;
  }

  end(): void {
    if (!this.#waiting.delete(this)) return;
    const ms = performance.now() - this.sinceMs;
    this.#waitedMs += ms;
    this.#lagMs += ms;
  }

  /** How long a caller that is not slow takes for what it was given. */
  takesMs(): number {
    return this.#bytes / bytesPerMs;
  }

  waitedMs(): number {
    return this.#waiting.has(this) ? this.#waitedMs + performance.now() - this.sinceMs : this.#waitedMs;
  }

  lagMs(nowMs: number): number {
    return this.#lagMs + Math.max(0, nowMs - this.sinceMs - this.takesMs());
  }

  /** The caller was not to blame. */
  restart(nowMs: number): void {
    this.#waiting.delete(this);
    this.sinceMs = nowMs;
    this.#lagMs = 0;
    this.#waiting.add(this);
  }
}
