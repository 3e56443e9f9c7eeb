import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as oneTurn } from 'node:timers/promises';
import { createFairQueue, type FairQueue } from '#shared/platform/fair-queue.ts';
import { isToBegin } from '#shared/platform/pipelining.ts';

/**
 * Limits how many requests each turn of the event loop begins (decision 015). The others are queued and served round-robin: those with a
 * key in use per customer, so that a customer that floods the gateway delays only its own requests; all others per address, and while both
 * wait, only every fourth is one of these, so made-up keys and addresses delay customers by at most a quarter. Short turns
 * also keep the gateway reachable: Node accepts one new connection per turn (libuv since 1.45), so a process with long turns shuts new
 * callers out for minutes.
 *
 * While its queue is full, connections that were just served are paused until their turn: a request in a kernel buffer costs nothing, but
 * every garbage collection copies a request that is queued here as objects. Each turn also resumes one connection of a known caller that
 * has nothing queued.
 */
export interface RequestQueue {
  handle: RequestListener;
  /** Call for every new connection. More may be waiting to be accepted, so the next turns are kept short. */
  onConnection: () => void;
  /** Requests and connections that wait for a turn. */
  waiting: () => { requests: number; connections: number };
  /** Stops pausing connections. Resolves when everything sent on paused connections has been read. */
  drain: () => Promise<void>;
}

export interface RequestQueueSettings {
  /** `late`: the request was queued for longer than `maxQueueAgeMs` and is one of those to refuse for that. `nowMs`: monotonic clock. */
  begin: (req: IncomingMessage, res: ServerResponse, late: boolean, nowMs: number) => void;
  /** Asked only for requests that have to wait. */
  lineOf: (req: IncomingMessage) => CallerLine;
  /** Whether a connection carries the requests of many callers, as a proxy's does. Pausing it would make them wait for one of them. */
  isShared: (socket: Socket) => boolean;
  maxQueueAgeMs: number;
}

/** Where a request waits: in the line of a customer whose key is known to be in use, or in that of an address. */
export interface CallerLine {
  known: boolean;
  caller: string;
}

interface QueuedRequest {
  req: IncomingMessage;
  res: ServerResponse;
  sinceMs: number;
}

interface PausedConnection {
  socket: Socket;
  sinceMs: number;
}

/** Callers with keys in use, or all others. */
interface Lane {
  queue: FairQueue<string, QueuedRequest>;
  paused: FairQueue<string, PausedConnection>;
}

const createLane = (): Lane => ({ queue: createFairQueue(), paused: createFairQueue() });

/** High enough to make the overhead of a turn negligible. */
const maxRequestsPerTurn = 64;
/** Low, because each waiting connection needs a turn of its own to be accepted. */
const maxRequestsPerTurnWhileConnecting = 2;
/** Ends a turn early when requests are slow to begin, as those to an in-process product may be. */
const maxTurnMs = 10;
/** Beyond this, requests of a lane stay in kernel buffers. */
const maxQueued = 128;
/**
 * Not all, because a refusal costs a third of a call, which would leave no time to serve any. Left to chance, because any count falls into
 * step with callers that are served in turn.
 */
const refusedShareOfLate = 0.5;
/** While callers with keys in use wait, so many of their requests begin for each one of the others. */
const knownPerOther = 3;
/** Node has read what was sent on a paused connection at most this many turns after it resumed. */
const turnsToRead = 3;

const isFull = ({ queue, paused }: Lane): boolean => paused.size() > 0 || queue.size() >= maxQueued;

export function createRequestQueue({ begin, lineOf, isShared, maxQueueAgeMs }: RequestQueueSettings): RequestQueue {
  const known = createLane();
  const others = createLane();
  const lanes = [known, others];
  let knownSinceOther = 0;
  /** Since when a connection was paused, and the number of the turn that resumed it. */
  const resumed = new WeakMap<Socket, { sinceMs: number; turn: number }>();
  let turn = 0;
  let lastResumeTurn = -turnsToRead;
  let draining = false;
  let begun = 0;
  let maxThisTurn = maxRequestsPerTurn;
  let turnEndsMs = 0;
  let connecting = false;
  let turnScheduled = false;

  const turnHasRoom = (nowMs: number): boolean => begun < maxThisTurn && (begun === 0 || nowMs < turnEndsMs);

  const startTurn = (nowMs: number): void => {
    turn += 1;
    maxThisTurn = connecting ? maxRequestsPerTurnWhileConnecting : maxRequestsPerTurn;
    connecting = false;
    begun = 0;
    turnEndsMs = nowMs + maxTurnMs;
  };

  const queued = (): number => known.queue.size() + others.queue.size();
  const paused = (): number => known.paused.size() + others.paused.size();

  const nextLane = (): Lane => {
    if (known.queue.size() > 0 && (knownSinceOther < knownPerOther || others.queue.size() === 0)) {
      knownSinceOther += 1;
      return known;
    }
    knownSinceOther = 0;
    return others;
  };

  const beginNext = (nowMs: number): boolean => {
    const next = nextLane().queue.take();
    if (next === undefined) return false;
    // The caller has disconnected.
    if (next.res.destroyed) return true;
    begun += 1;
    const refused = nowMs - next.sinceMs > maxQueueAgeMs && Math.random() < refusedShareOfLate;
    begin(next.req, next.res, refused, nowMs);
    return true;
  };

  const resume = ({ socket, sinceMs }: PausedConnection): void => {
    lastResumeTurn = turn;
    resumed.set(socket, { sinceMs, turn });
    socket.resume();
  };

  /** Resumes as many connections of a lane as its queue has room for. */
  const resumePaused = (lane: Lane): void => {
    for (let room = draining ? Infinity : maxQueued - lane.queue.size(); room > 0; room -= 1) {
      const next = lane.paused.take();
      if (next === undefined) return;
      resume(next);
    }
  };

  /** Without this, a known caller with nothing queued would wait until those who overfilled the queue have been served. */
  const resumeCalm = (): void => {
    const next = known.paused.take((caller) => known.queue.sizeOf(caller) === 0);
    if (next !== undefined) resume(next);
  };

  const pause = (lane: Lane, caller: string, socket: Socket): void => {
    // A connection may have been paused by the response before, and one that ends needs no turn.
    if (socket.isPaused() || !socket.writable || draining || !isFull(lane) || isShared(socket)) return;
    socket.pause();
    lane.paused.push(caller, { socket, sinceMs: performance.now() });
  };

  const nextTurn = (): void => {
    let nowMs = performance.now();
    startTurn(nowMs);
    while (turnHasRoom(nowMs) && beginNext(nowMs)) nowMs = performance.now();
    for (const lane of lanes) if (lane.paused.size() > 0) resumePaused(lane);
    if (known.paused.size() > 0) resumeCalm();
    turnScheduled = queued() > 0 || paused() > 0 || turn - lastResumeTurn < turnsToRead;
    if (turnScheduled) setImmediate(nextTurn);
  };

  /** A request read just after its connection resumed may have waited since the pause began. This can overestimate its age slightly. */
  const waitingSince = (socket: Socket, nowMs: number): number => {
    const before = resumed.get(socket);
    resumed.delete(socket);
    return before !== undefined && turn - before.turn < turnsToRead ? before.sinceMs : nowMs;
  };

  return {
    handle: (req, res) => {
      const { socket } = req;
      if (!isToBegin(req, res)) return;
      const nowMs = performance.now();
      if (!turnScheduled) {
        turnScheduled = true;
        startTurn(nowMs);
        setImmediate(nextTurn);
      }
      if (queued() === 0 && paused() === 0 && turnHasRoom(nowMs)) {
        begun += 1;
        begin(req, res, false, nowMs);
        return;
      }
      const { known: isKnown, caller } = lineOf(req);
      const lane = isKnown ? known : others;
      lane.queue.push(caller, { req, res, sinceMs: waitingSince(socket, nowMs) });
      if (isFull(lane)) res.once('close', () => pause(lane, caller, socket));
    },
    onConnection: () => {
      connecting = true;
    },
    waiting: () => ({ requests: queued(), connections: paused() }),
    drain: async () => {
      draining = true;
      lanes.forEach(resumePaused);
      for (let waited = 0; waited < turnsToRead; waited += 1) await oneTurn();
    },
  };
}
