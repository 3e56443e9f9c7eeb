import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { duplexPair } from 'node:stream';
import { setImmediate as oneTurn } from 'node:timers/promises';

/** No exchange of these takes as many turns of the event loop. */
const mostTurns = 50;

/** What came back to a caller in memory. */
export interface Exchange {
  got: () => string;
  /** Waits until something is true; false when it does not come true. */
  until: (is: () => boolean) => Promise<boolean>;
}

/** Sends bytes to a server of Node's over a connection in memory, so that no port and no network is needed. `play` ends the exchange. */
export async function rehearse<Result>(
  options: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>,
  request: string,
  listener: (req: IncomingMessage, res: ServerResponse) => void,
  play: (exchange: Exchange) => Promise<Result>,
): Promise<Result> {
  const server = createServer(options, listener);
  const [near, far] = duplexPair();
  let got = '';
  near.setEncoding('latin1').on('data', (text: string) => void (got += text));
  near.on('error', () => {});
  far.on('error', () => {});
  server.emit('connection', far);
  near.write(request, 'latin1');
  try {
    return await play({
      got: () => got,
      until: async (is) => {
        for (let turn = 0; turn < mostTurns && !is(); turn += 1) await oneTurn();
        return is();
      },
    });
  } finally {
    near.destroy();
    far.destroy();
    server.close();
  }
}

export const getRequest = 'GET / HTTP/1.1\r\nHost: rehearsal\r\n\r\n';
