import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';
import { freePort } from '#shared/platform/free-ports.ts';

/**
 * A port that no other process gets until it is freed, and hardly any afterwards: a portal that restarts returns to it. Destroys
 * connections, since an open one would keep it from being freed.
 */
export async function holdPort(): Promise<{ port: number; free: () => Promise<void> }> {
  const port = await freePort();
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const free = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  return { port, free };
}

/** Listens on a port that was free a moment ago, even while another test that looks for a free port holds it. */
export async function listenOn(app: FastifyInstance, port: number): Promise<void> {
  await vi.waitUntil(
    () =>
      app.listen({ port, host: '127.0.0.1' }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
          throw error;
        },
      ),
    { timeout: 60_000, interval: 50 },
  );
}
