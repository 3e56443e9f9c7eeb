import type { ServerResponse } from 'node:http';
import { exchangeInMemory } from './in-memory-exchange.ts';
import type { Shortcut } from './shortcut.ts';

/** How long a refused caller may continue to send. */
const lingerMs = 2000;
let isOff = false;

/**
 * Closes the connection in stages after a response whose caller may still be sending (RFC 9112 §9.6). Closing at once would reset the
 * connection, and the caller could lose the response. Until the caller ends or `lingerMs` have passed, incoming data is read and discarded.
 */
export function lingeringClose({ req }: ServerResponse): void {
  if (isOff) return;
  const { socket } = req;
  // Node calls this after writing the last response on a connection.
  socket.destroySoon = () => {
    const deadline = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(deadline));
    socket.once('end', () => socket.destroy());
    socket.end();
    req.resume();
  };
}

export const lingering: Shortcut = {
  name: 'lingering close of refused connections',
  fallback: 'Node closes them at once, so a caller that is still sending may not see the response',
  selfTest: () => {
    let called = false;
    const respond = ({ req: { socket } }: ServerResponse): void => {
      socket.destroySoon = () => {
        called = true;
        socket.destroy();
      };
    };
    const request = 'GET / HTTP/1.1\r\nHost: self-test\r\nConnection: close\r\n\r\n';
    return exchangeInMemory(
      {},
      request,
      (_req, res) => (respond(res), void res.end()),
      ({ until }) => until(() => called),
    );
  },
  disable: () => {
    isOff = true;
  },
};
