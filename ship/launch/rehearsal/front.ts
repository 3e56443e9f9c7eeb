import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { once } from 'node:events';
import { pipeline } from 'node:stream';
import type { Certificates } from './certificates.ts';

/** A port of the front, and the port behind it. */
export interface FrontDoor {
  port: number;
  behind: number;
}

/** Connection headers end at a proxy (RFC 9110, section 7.6.1). */
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** HSTS counts for all ports of a name: a browser would never again open http://localhost, which a trial or another program has. */
const notPassed = new Set([...hopByHop, 'strict-transport-security']);

/**
 * TLS in front of the processes, as docs/operating/tls.md asks of a proxy: every path unchanged, the caller's address in X-Forwarded-For, bodies
 * and live streams as they come. Resolves with how to close it.
 */
export async function openFront(doors: readonly FrontDoor[], { chain, key }: Certificates): Promise<() => void> {
  const servers = doors.map(({ behind }) =>
    createServer({ cert: chain, key }, (req, res) => forward(req, res, behind)),
  );
  const close = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  try {
    for (const [index, server] of servers.entries())
      await once(server.listen(doors[index]?.port, '127.0.0.1'), 'listening');
  } catch (error) {
    close();
    throw error;
  }
  return close;
}

function forward(req: IncomingMessage, res: ServerResponse, port: number): void {
  const headers: Record<string, string | string[] | undefined> = { ...req.headers };
  for (const name of hopByHop) delete headers[name];
  headers['x-forwarded-for'] = req.socket.remoteAddress;
  if (req.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  const upstream = request({ host: '127.0.0.1', port, method: req.method, path: req.url, headers }, (answer) => {
    const fields = answer.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 && !notPassed.has(name.toLowerCase()) ? [name, all[index + 1] ?? ''] : [],
    );
    res.writeHead(answer.statusCode ?? 502, fields);
    pipeline(answer, res, () => undefined);
  });
  upstream.on('error', () => {
    if (res.headersSent) res.destroy();
    else res.writeHead(502).end();
  });
  res.on('close', () => upstream.destroy());
  pipeline(req, upstream, () => undefined);
}
