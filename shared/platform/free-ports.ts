import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below those from which systems take the ports of connections (Linux: 32,768): a port of ours stays free until it is used. */
const lowest = 10_240;
const highest = 32_767;

/** Distinct free ports of this machine, drawn by lot: each is held until all are found. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(lowest, highest + 1);
    const probe = await listenOn(port);
    if (probe !== undefined) held.set(port, probe);
  }
  await Promise.all([...held.values()].map((probe) => once(probe.close(), 'close')));
  return [...held.keys()];
}

/** The first of `count` free ports that follow one another. */
export async function freePortsInRow(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(lowest, highest + 1 - count);
    const held = await Promise.all(Array.from({ length: count }, (_, index) => listenOn(first + index)));
    await Promise.all(held.flatMap((probe) => (probe === undefined ? [] : [once(probe.close(), 'close')])));
    if (!held.includes(undefined)) return first;
  }
}

/** Undefined when the port is in use. */
async function listenOn(port: number): Promise<Server | undefined> {
  const probe = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
    return probe;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** One of them. Two calls may find the same port: ask for several with `freePorts`. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
