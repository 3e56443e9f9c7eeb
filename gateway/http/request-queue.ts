import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as oneTurn } from 'node:timers/promises';
import { createFairQueue } from '#platform/fair-queue.ts';
import { closeWithConnection } from './queued-responses.ts';

/**
 * Limits how many requests each turn of the event loop begins (decision 015). The others are queued per API key and served round-robin, so
 * a caller that floods the gateway delays only its own requests. Short turns also keep the gateway reachable: Node accepts one new
 * connection per turn (libuv since 1.45), so a process with long turns shuts new callers out for minutes.
 *
 * While the queue is full, connections that were just served are paused until their turn: a request in a kernel buffer costs nothing, but
 * every garbage collection copies a request that is queued here as objects.
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
  /** `late`: the request was queued for longer than `maxQueueAgeMs`, so refuse it. `nowMs`: monotonic clock. */
  begin: (req: IncomingMessage, res: ServerResponse, late: boolean, nowMs: number) => void;
  maxQueueAgeMs: number;
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

/** High enough to make the overhead of a turn negligible. */
const maxRequestsPerTurn = 64;
/** Low, because each waiting connection needs a turn of its own to be accepted. */
const maxRequestsPerTurnWhileConnecting = 2;
/** Ends a turn early when requests are slow to begin, as those to an in-process product may be. */
const maxTurnMs = 10;
/** Beyond this, requests stay in kernel buffers. */
const maxQueued = 128;
/** Node has read what was sent on a paused connection at most this many turns after it resumed. */
const turnsToRead = 3;

export function createRequestQueue({ begin, maxQueueAgeMs }: RequestQueueSettings): RequestQueue {
  const queue = createFairQueue<string, QueuedRequest>();
  const paused = createFairQueue<string, PausedConnection>();
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
  let refusedLast = false;

  const turnHasRoom = (nowMs: number): boolean => begun < maxThisTurn && (begun === 0 || nowMs < turnEndsMs);

  const startTurn = (nowMs: number): void => {
    turn += 1;
    maxThisTurn = connecting ? maxRequestsPerTurnWhileConnecting : maxRequestsPerTurn;
    connecting = false;
    begun = 0;
    turnEndsMs = nowMs + maxTurnMs;
  };

  const beginNext = (nowMs: number): boolean => {
    const next = queue.take();
    if (next === undefined) return false;
    // The caller has disconnected.
    if (next.res.destroyed) return true;
    begun += 1;
    // Refuse only every second late request: a refusal costs a third of a call, so refusing all of them would leave no time to serve any.
    refusedLast = !refusedLast && nowMs - next.sinceMs > maxQueueAgeMs;
    begin(next.req, next.res, refusedLast, nowMs);
    return true;
  };

  /** Resumes as many connections as the queue has room for. */
  const resumePaused = (): void => {
    for (let room = draining ? Infinity : maxQueued - queue.size(); room > 0; room -= 1) {
      const next = paused.take();
      if (next === undefined) return;
      lastResumeTurn = turn;
      resumed.set(next.socket, { sinceMs: next.sinceMs, turn });
      next.socket.resume();
    }
  };

  const pause = (caller: string, socket: Socket): void => {
    if (socket.destroyed || draining || (paused.size() === 0 && queue.size() < maxQueued)) return;
    socket.pause();
    paused.push(caller, { socket, sinceMs: performance.now() });
  };

  const nextTurn = (): void => {
    let nowMs = performance.now();
    startTurn(nowMs);
    while (turnHasRoom(nowMs) && beginNext(nowMs)) nowMs = performance.now();
    if (paused.size() > 0) resumePaused();
    turnScheduled = queue.size() > 0 || paused.size() > 0 || turn - lastResumeTurn < turnsToRead;
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
      closeWithConnection(req, res);
      const nowMs = performance.now();
      if (!turnScheduled) {
        turnScheduled = true;
        startTurn(nowMs);
        setImmediate(nextTurn);
      }
      if (queue.size() === 0 && paused.size() === 0 && turnHasRoom(nowMs)) {
        begun += 1;
        begin(req, res, false, nowMs);
        return;
      }
      const caller = callerOf(req);
      const { socket } = req;
      queue.push(caller, { req, res, sinceMs: waitingSince(socket, nowMs) });
      if (paused.size() > 0 || queue.size() >= maxQueued) res.once('close', () => pause(caller, socket));
    },
    onConnection: () => {
      connecting = true;
    },
    waiting: () => ({ requests: queue.size(), connections: paused.size() }),
    drain: async () => {
      draining = true;
      resumePaused();
      for (let waited = 0; waited < turnsToRead; waited += 1) await oneTurn();
    },
  };
}

/** Identifies the caller without a lookup: by its key, else by its address. */
function callerOf({ headers: { authorization, 'x-api-key': key }, socket }: IncomingMessage): string {
  return authorization ?? (typeof key === 'string' ? key : (socket.remoteAddress ?? ''));
}
