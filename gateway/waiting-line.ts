import type { Share } from './pressure.ts';

/**
 * The way into one product: so many calls at a time, and behind them one line for each customer, served in turn. Whoever sends
 * too much waits behind its own calls, and is refused before the wait grows long.
 */
export interface WaitingLine {
  /** Starts a call now or in its turn; `giveUp` is called instead when that would take too long. */
  enter: (customer: Share, start: () => void, giveUp: () => void) => Place;
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

interface Waiter {
  sinceMs: number;
  start: () => void;
  giveUp: () => void;
  state: 'waiting' | 'started' | 'gone';
}

interface CustomerLine {
  waiting: Waiter[];
  started: number;
}

/** Nobody waits longer than this many times the patience. */
const longestPatience = 2;

export function createWaitingLine({ slots, patienceMs }: WaitingLineSettings): WaitingLine {
  // One customer alone leaves room for the first calls of the next.
  const mostOfOne = Math.max(1, Math.floor((slots * 7) / 8));
  const lines = new Map<Share, CustomerLine>();
  let started = 0;
  let turn: CustomerLine[] = [];
  let sweeping: NodeJS.Timeout | undefined;

  const lineOf = (customer: Share): CustomerLine => {
    let line = lines.get(customer);
    if (line === undefined) lines.set(customer, (line = { waiting: [], started: 0 }));
    return line;
  };

  const begin = (line: CustomerLine, waiter: Waiter): void => {
    started += 1;
    line.started += 1;
    waiter.state = 'started';
    waiter.start();
  };

  const isFree = (): boolean => started < slots;

  /** Gives free slots to the customers who wait, one call each in turn. */
  const serve = (): void => {
    for (let passes = turn.length; passes > 0 && isFree(); passes -= 1) {
      const line = turn.shift();
      if (line === undefined) return;
      const next = line.started < mostOfOne ? line.waiting.shift() : undefined;
      if (line.waiting.length > 0) turn.push(line);
      if (next === undefined) continue;
      begin(line, next);
      passes = turn.length + 1;
    }
  };

  const sweep = (): void => {
    const tooOld = performance.now() - patienceMs * longestPatience;
    for (const line of turn) {
      while ((line.waiting[0]?.sinceMs ?? Infinity) < tooOld) {
        const waiter = line.waiting.shift();
        if (waiter === undefined) break;
        waiter.state = 'gone';
        waiter.giveUp();
      }
    }
    turn = turn.filter((line) => line.waiting.length > 0);
    if (turn.length > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  };

  const leave = (customer: Share, line: CustomerLine, waiter: Waiter): void => {
    if (waiter.state === 'started') {
      started -= 1;
      line.started -= 1;
    } else if (waiter.state === 'waiting') {
      line.waiting = line.waiting.filter((other) => other !== waiter);
      turn = turn.filter((other) => other.waiting.length > 0);
    }
    waiter.state = 'gone';
    if (line.started === 0 && line.waiting.length === 0 && lines.get(customer) === line) lines.delete(customer);
    if (turn.length > 0) serve();
  };

  return {
    enter: (customer, start, giveUp) => {
      const line = lineOf(customer);
      const waiter: Waiter = { sinceMs: 0, start, giveUp, state: 'waiting' };
      const place: Place = { leave: () => leave(customer, line, waiter) };
      if (started < slots && line.started < mostOfOne && line.waiting.length === 0) {
        begin(line, waiter);
        return place;
      }
      const now = performance.now();
      if (now - (line.waiting[0]?.sinceMs ?? now) > patienceMs) {
        waiter.state = 'gone';
        giveUp();
        return place;
      }
      waiter.sinceMs = now;
      if (line.waiting.push(waiter) === 1) turn.push(line);
      sweeping ??= setInterval(sweep, 50).unref();
      return place;
    },
  };
}
