import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { duplexPair } from 'node:stream';
import { setImmediate as oneTurn } from 'node:timers/promises';

/** More turns of the event loop than any of these exchanges takes. */
const maxTurns = 50;

export interface Exchange {
  /** Everything received so far. */
  received: () => string;
  /** Waits until the condition holds; resolves with false if it never does. */
  until: (condition: () => boolean) => Promise<boolean>;
}

/**
 * Sends bytes to a Node HTTP server over an in-memory connection, without a port or network. Closes both when `play` is done. `options`: of
 * `createServer`; typed as object, since Node's types would make the classes in it a part of the listener's own type.
 */
export async function exchangeInMemory<Result>(
  options: object,
  request: string,
  listener: (req: IncomingMessage, res: ServerResponse) => void,
  play: (exchange: Exchange) => Promise<Result>,
): Promise<Result> {
  const server = createServer(options, listener);
  const [near, far] = duplexPair();
  let received = '';
  near.setEncoding('latin1').on('data', (text: string) => void (received += text));
  near.on('error', () => {});
  far.on('error', () => {});
  server.emit('connection', far);
  near.write(request, 'latin1');
  try {
    return await play({
      received: () => received,
      until: async (condition) => {
        for (let turn = 0; turn < maxTurns && !condition(); turn += 1) await oneTurn();
        return condition();
      },
    });
  } finally {
    near.destroy();
    far.destroy();
    server.close();
  }
}

export const getRequest = 'GET / HTTP/1.1\r\nHost: self-test\r\n\r\n';
