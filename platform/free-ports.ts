import { once } from 'node:events';
import { createServer } from 'node:net';

/** Distinct free ports of this machine: each is held until all are found. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer((socket) => socket.destroy()).listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => {
    const address = probe.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  });
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}

/** One of them. Two calls may find the same port: ask for several with `freePorts`. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
