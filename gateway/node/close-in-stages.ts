import type { ServerResponse } from 'node:http';
import { rehearse } from './rehearse.ts';
import type { Shortcut } from './shortcut.ts';

/** How long a caller may go on sending after it was refused, in milliseconds. */
const lingerMs = 2000;
let isOff = false;

/**
 * Closes the connection behind a response whose caller may still be sending (RFC 9112 §9.6): closing at once would reset it, and the
 * caller's system could throw away the response unread. What still comes is read and dropped, until the caller ends or `lingerMs` are over.
 */
export function closeInStages({ req }: ServerResponse): void {
  if (isOff) return;
  const { socket } = req;
  // Node calls this when the last response of a connection has been written.
  socket.destroySoon = () => {
    const deadline = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(deadline));
    socket.once('end', () => socket.destroy());
    socket.end();
    req.resume();
  };
}

export const closing: Shortcut = {
  name: 'connections of refused callers are closed in stages',
  instead: 'Node closes them at once, and a caller who is still sending may not see why',
  works: () => {
    let called = false;
    const answer = ({ req: { socket } }: ServerResponse): void => {
      socket.destroySoon = () => {
        called = true;
        socket.destroy();
      };
    };
    const request = 'GET / HTTP/1.1\r\nHost: rehearsal\r\nConnection: close\r\n\r\n';
    return rehearse(
      {},
      request,
      (_req, res) => (answer(res), void res.end()),
      ({ until }) => until(() => called),
    );
  },
  turnOff: () => {
    isOff = true;
  },
};
