import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as oneTurn } from 'node:timers/promises';
import { createFairQueue } from '#platform/fair-queue.ts';
import { closeWithConnection } from './queued-responses.ts';

/**
 * The way into this process. A turn of the event loop begins only so many calls; the others wait, one line for each key, served in
 * turn, so that who sends much waits behind its own calls. Turns that stay short are also what lets new callers in: Node takes one
 * new connection from the system in each (libuv since 1.45), so that a process with long turns keeps them out for minutes.
 *
 * When many wait, connections that were just served are not read from until it is their turn again: a call that lies with the system
 * costs nothing, one that lies here as objects is copied by every collection of garbage.
 */
export interface Intake {
  take: RequestListener;
  /** A connection was opened; others may wait behind it. */
  connected: () => void;
  /** From now on no connection rests. Resolves when what was sent on those that did has been read. */
  finish: () => Promise<void>;
}

export interface IntakeSettings {
  /** `late`: the call has waited for longer than it may, and is to be refused. `nowMs`: by the monotonic clock. */
  begin: (req: IncomingMessage, res: ServerResponse, late: boolean, nowMs: number) => void;
  /** How long a call may wait. */
  patienceMs: number;
}

interface Arrival {
  req: IncomingMessage;
  res: ServerResponse;
  sinceMs: number;
}

/** A connection that is not read from. */
interface Resting {
  socket: Socket;
  sinceMs: number;
}

/** Enough calls in a turn that what a turn itself costs does not show, and few while connections come, each of which waits for a turn. */
const mostInTurn = 64;
const mostWhileConnecting = 2;
/** Calls that take long in themselves, as those of a product in this process may, end a turn sooner. */
const longestTurnMs = 10;
/** So many wait here; the rest waits with the system. */
const mostWaiting = 128;
/** What was sent on a connection while it rested is read in so many turns after it was woken. */
const turnsToRead = 3;

export function createIntake({ begin, patienceMs }: IntakeSettings): Intake {
  const lines = createFairQueue<string, Arrival>();
  const resting = createFairQueue<string, Resting>();
  /** Connections that rested, with the number of the turn in which they were woken. */
  const woken = new WeakMap<Socket, { sinceMs: number; turn: number }>();
  let turn = 0;
  let wokeLast = -turnsToRead;
  let finishing = false;
  let begun = 0;
  let mostNow = mostInTurn;
  let turnEndsMs = 0;
  let connecting = false;
  let turning = false;
  let refusedLast = false;

  const hasTime = (nowMs: number): boolean => begun < mostNow && (begun === 0 || nowMs < turnEndsMs);

  const startTurn = (nowMs: number): void => {
    turn += 1;
    mostNow = connecting ? mostWhileConnecting : mostInTurn;
    connecting = false;
    begun = 0;
    turnEndsMs = nowMs + longestTurnMs;
  };

  const beginNext = (nowMs: number): boolean => {
    const next = lines.take();
    if (next === undefined) return false;
    // Nobody is there to be answered.
    if (next.res.destroyed) return true;
    begun += 1;
    // A refusal takes a third of the time of a call: were all refused who are late, nothing else would be done.
    refusedLast = !refusedLast && nowMs - next.sinceMs > patienceMs;
    begin(next.req, next.res, refusedLast, nowMs);
    return true;
  };

  /** Reads again from as many as may wait here. */
  const wake = (): void => {
    for (let room = finishing ? Infinity : mostWaiting - lines.size(); room > 0; room -= 1) {
      const next = resting.take();
      if (next === undefined) return;
      wokeLast = turn;
      woken.set(next.socket, { sinceMs: next.sinceMs, turn });
      next.socket.resume();
    }
  };

  const rest = (caller: string, socket: Socket): void => {
    if (socket.destroyed || finishing || (resting.size() === 0 && lines.size() < mostWaiting)) return;
    socket.pause();
    resting.push(caller, { socket, sinceMs: performance.now() });
  };

  const nextTurn = (): void => {
    let nowMs = performance.now();
    startTurn(nowMs);
    while (hasTime(nowMs) && beginNext(nowMs)) nowMs = performance.now();
    if (resting.size() > 0) wake();
    turning = lines.size() > 0 || resting.size() > 0 || turn - wokeLast < turnsToRead;
    if (turning) setImmediate(nextTurn);
  };

  /** Since when has it waited? As long as its connection rested, if it was read just after that; it may have come a little later. */
  const sinceOf = (socket: Socket, nowMs: number): number => {
    const before = woken.get(socket);
    woken.delete(socket);
    return before !== undefined && turn - before.turn < turnsToRead ? before.sinceMs : nowMs;
  };

  return {
    take: (req, res) => {
      closeWithConnection(req, res);
      const nowMs = performance.now();
      if (!turning) {
        turning = true;
        startTurn(nowMs);
        setImmediate(nextTurn);
      }
      if (lines.size() === 0 && resting.size() === 0 && hasTime(nowMs)) {
        begun += 1;
        begin(req, res, false, nowMs);
        return;
      }
      const caller = callerOf(req);
      const { socket } = req;
      lines.push(caller, { req, res, sinceMs: sinceOf(socket, nowMs) });
      if (resting.size() > 0 || lines.size() >= mostWaiting) res.once('close', () => rest(caller, socket));
    },
    connected: () => {
      connecting = true;
    },
    finish: async () => {
      finishing = true;
      wake();
      for (let waited = 0; waited < turnsToRead; waited += 1) await oneTurn();
    },
  };
}

/** Who calls, as far as can be told without looking anything up. */
function callerOf({ headers: { authorization, 'x-api-key': key }, socket }: IncomingMessage): string {
  return authorization ?? (typeof key === 'string' ? key : (socket.remoteAddress ?? ''));
}
