import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '#gateway/http/server.ts';

/** A countable response: its status, and the word in the path that names its operation. */
export interface GivenResponse {
  operation: string;
  status: number;
}

/** Statuses in the simulation that count. Listed here so that the simulation doesn't depend on the gateway's own table. */
const countable = new Set([200, 201, 404, 409, 422]);

/** Counts the countable responses that it sent completely; replays of a response add nothing. */
export interface SimulationUpstream {
  url: string;
  /** Countable responses to calls of an activation. */
  given: (activationId: string) => readonly GivenResponse[];
  /** Calls of a customer that arrived, whatever their response. */
  arrived: (customerId: string) => number;
  /** Calls that a gateway cut off before the response was written. */
  cutOff: () => number;
  close: () => Promise<unknown>;
}

interface Remembered extends GivenResponse {
  id: string;
}

function breakOff(res: ServerResponse): void {
  res.writeHead(201, { 'Content-Length': '100000' });
  res.write('x'.repeat(50_000), () => res.destroy());
}

/**
 * A real HTTP server. `/v1/do/404/30` responds with 404 after 30 ms, `/v1/do/201/0/break` breaks its first response off; other words than
 * `do` name other operations. POST with an
 * Idempotency-Key is replayed from memory, like the products do; failures (5xx) are not remembered.
 */
export async function startSimulationUpstream(): Promise<SimulationUpstream> {
  const given = new Map<string, Map<string, GivenResponse>>();
  const arrived = new Map<string, number>();
  const memory = new Map<string, Remembered | 'in progress'>();
  let cutOff = 0;

  const respond = (res: ServerResponse, activation: string, { id, status, operation }: Remembered): void => {
    if (res.destroyed) {
      cutOff += 1;
      return;
    }
    if (countable.has(status))
      given.set(activation, (given.get(activation) ?? new Map()).set(id, { operation, status }));
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id }));
  };

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    req.resume();
    const activation = String(req.headers['x-octroi-activation']);
    const customer = String(req.headers['x-octroi-customer']);
    const id = String(req.headers['x-request-id']);
    const key = req.headers['idempotency-key'];
    arrived.set(customer, (arrived.get(customer) ?? 0) + 1);
    const [, , operation = '', status, ms, how] = (req.url ?? '').split('/');
    const first = { id, operation, status: Number(status) };
    if (typeof key !== 'string') {
      await sleep(Number(ms));
      return how === 'break' ? breakOff(res) : respond(res, activation, first);
    }
    const memoryKey = `${activation} ${key}`;
    const known = memory.get(memoryKey);
    if (known === 'in progress') return respond(res, activation, { id, operation, status: 409 });
    if (known !== undefined) {
      res.setHeader('Octroi-Replayed', 'true');
      res.setHeader('Octroi-Replay-Of', known.id);
      return respond(res, activation, known);
    }
    memory.set(memoryKey, 'in progress');
    await sleep(Number(ms));
    if (first.status < 500) memory.set(memoryKey, first);
    else memory.delete(memoryKey);
    return how === 'break' ? breakOff(res) : respond(res, activation, first);
  };

  const server = createServer((req, res) => void handle(req, res));
  const url = await listen(server, 0, '127.0.0.1');
  return {
    url,
    given: (activationId) => [...(given.get(activationId)?.values() ?? [])],
    arrived: (customerId) => arrived.get(customerId) ?? 0,
    cutOff: () => cutOff,
    close: async () => {
      server.closeAllConnections();
      return once(server.close(), 'close');
    },
  };
}
