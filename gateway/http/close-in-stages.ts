import type { ServerResponse } from 'node:http';

/** How long a caller may go on sending after it was refused, in milliseconds. */
const lingerMs = 2000;

/**
 * Closes the connection behind a response whose caller may still be sending (RFC 9112 §9.6): closing at once would reset it, and the
 * caller's system could throw away the response unread. What still comes is read and dropped, until the caller ends or `lingerMs` are over.
 */
export function closeInStages({ req }: ServerResponse): void {
  const { socket } = req;
  socket.destroySoon = () => {
    const deadline = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(deadline));
    socket.once('end', () => socket.destroy());
    socket.end();
    req.resume();
  };
}
