import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type { Topology } from './topology.ts';

/** A request on its way, or one that failed. */
export interface Sent {
  what: string;
  /** The parts that ended while it was on its way. */
  during: Set<string>;
}

export interface Failure extends Sent {
  /** What had happened last. */
  phase: string;
  /** 0 without a response. */
  status: number;
  retryAfter: number;
  reason: string;
}

/** All requests from outside, so that each failure can be told to have happened on a part that was killed, or not. */
export interface Callers {
  /** Sends a request through nginx to one of the names of tls.conf; never rejects because of a status. */
  send: (host: string, request: Request) => Promise<{ status: number; text: string }>;
  /** From now on a part is gone: notes it on every request that is on its way or begins, until the returned function is called. */
  partEnds: (part: string) => () => void;
  /** Something else happens now. */
  enter: (phase: string) => void;
  failures: readonly Failure[];
  /** For each key: calls with a response of 200, and those that were under way when something ended. */
  calls: ReadonlyMap<string, { ok: number; marked: number }>;
  sent: () => number;
  /** Calls the API once. */
  call: (key: string) => Promise<{ status: number }>;
  /** Calls the API `perSecond` times a second in turn with these keys, until `stop` has resolved. */
  begin: (keys: readonly string[], perSecond: number) => { stop: () => Promise<void> };
  close: () => Promise<void>;
}

interface Request {
  what: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The key of a call of the API, which fails unless the response is 200; other requests fail from 500 up. */
  key?: string;
}

/** Both names of tls.conf are those of this machine. */
const lookup: LookupFunction = (_hostname, options, done) =>
  options.all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

/** A key has at most as many calls on their way: those that a busy machine has held up are served in one second, within its plan. */
const callsAtOnce = 20;

export function createCallers({ port, certificate }: Pick<Topology, 'port' | 'certificate'>): Callers {
  const agent = new Agent({ connections: 128, connect: { ca: certificate, lookup }, headersTimeout: 60_000 });
  const underWay = new Set<Sent>();
  const ending = new Set<string>();
  const failures: Failure[] = [];
  const calls = new Map<string, { ok: number; marked: number }>();
  let sent = 0;
  let phase = '';

  const send: Callers['send'] = async (host, { what, method, path, headers = {}, body, key }) => {
    const request: Sent = { what, during: new Set(ending) };
    underWay.add(request);
    sent += 1;
    let [status, retryAfter, text] = [0, 0, ''];
    try {
      const response = await agent.request({
        origin: `https://${host}:${port}`,
        method,
        path,
        headers,
        body: body ?? null,
      });
      status = response.statusCode;
      retryAfter = Number(response.headers['retry-after'] ?? 0);
      text = await response.body.text();
    } catch (error) {
      status = 0;
      text = error instanceof Error ? error.message : String(error);
    }
    underWay.delete(request);
    const failed = key === undefined ? status === 0 || status >= 500 : status !== 200;
    if (failed) failures.push({ ...request, phase, status, retryAfter, reason: text.slice(0, 160) });
    const ofKey = key === undefined ? undefined : calls.get(key);
    if (ofKey) {
      if (status === 200) ofKey.ok += 1;
      if (request.during.size > 0) ofKey.marked += 1;
    }
    return { status, text };
  };

  const begin: Callers['begin'] = (keys, perSecond) => {
    for (const key of keys) if (!calls.has(key)) calls.set(key, { ok: 0, marked: 0 });
    const lines = keys.map((key) => ({ key, running: new Set<Promise<unknown>>() }));
    const beganMs = performance.now();
    let begun = 0;
    const state = { stopped: false };
    const rounds = (async () => {
      while (!state.stopped) {
        const due = ((performance.now() - beganMs) / 1000) * perSecond;
        // Calls that this process was too busy to make are left out: made up for all at once they would exceed the plans.
        begun = Math.max(begun, Math.floor(due - perSecond / 10));
        for (; begun < due; begun += 1) {
          const line = lines[begun % lines.length];
          if (line === undefined || line.running.size >= callsAtOnce) continue;
          const call = send('api.example.in', callWith(line.key, begun));
          line.running.add(call);
          void call.finally(() => line.running.delete(call));
        }
        await sleep(5);
      }
    })();
    return {
      stop: async () => {
        state.stopped = true;
        await rounds;
        await Promise.all(lines.flatMap(({ running }) => [...running]));
      },
    };
  };
  return {
    send,
    partEnds: (part) => {
      ending.add(part);
      for (const { during } of underWay) during.add(part);
      return () => void ending.delete(part);
    },
    call: (key) => send('api.example.in', callWith(key, 1)),
    enter: (name) => void (phase = name),
    failures,
    calls,
    sent: () => sent,
    begin,
    close: () => agent.destroy(),
  };
}

/** Every fifth call is a POST, which nginx must not send twice. */
function callWith(key: string, turn: number): Request {
  const common = { what: 'API', key };
  if (turn % 5 > 0)
    return { ...common, method: 'GET', path: '/tax-lookup/v1/gstin/27AAPFU0939F1ZV', headers: { 'x-api-key': key } };
  return {
    ...common,
    method: 'POST',
    path: '/tax-lookup/v1/gstin/validate',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"gstins":["27AAPFU0939F1ZV"]}',
  };
}
