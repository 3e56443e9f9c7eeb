import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What the proxy does to responses. */
export type Fault = { cutAfter: number } | 'black hole' | 'none';

/**
 * A proxy between portal and payment provider that can cut responses after any number of bytes, or drop them. Requests
 * always arrive: the provider does the work, but the portal does not get the response.
 */
export async function startFaultProxy(targetUrl: string) {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let fault: Fault = 'none';
  let longest = 0;

  const server = createServer((client) => {
    const provider = connect(Number(target.port), '127.0.0.1');
    const end = () => {
      client.destroy();
      provider.destroy();
    };
    let sent = 0;
    for (const socket of [client, provider]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
      socket.on('error', end);
    }
    client.on('data', (chunk) => {
      // A new request: count its response from the first byte.
      sent = 0;
      provider.write(chunk);
    });
    provider.on('data', (chunk) => {
      longest = Math.max(longest, sent + chunk.length);
      if (fault === 'black hole') return;
      const left = fault === 'none' ? chunk.length : fault.cutAfter - sent;
      sent += chunk.length;
      if (left >= chunk.length) client.write(chunk);
      else if (left > 0) client.write(chunk.subarray(0, left), end);
      else end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    set: (next: Fault): void => {
      fault = next;
      longest = 0;
    },
    /** Size of the longest response since the fault was set. */
    longest: () => longest,
    close: async (): Promise<void> => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
