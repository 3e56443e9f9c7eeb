import type { IncomingMessage } from 'node:http';
import { exchangeInMemory } from './in-memory-exchange.ts';
import type { Shortcut } from './shortcut.ts';

let isOff = false;

/** How much of a body is held back. */
export const heldBodyBytes = 64 * 1024;

/**
 * Holds back a request's body until it has arrived completely, or more than `maxBytes` of it have; then calls `ready` once. From then on the
 * request is read as usual. `arrived`: a part that is held back. Call it before anything else reads the request. Node's parser hands each part to the
 * request's `push`.
 */
export function holdBody(
  req: IncomingMessage,
  maxBytes: number,
  ready: () => void,
  arrived?: (bytes: number) => void,
): void {
  let bytes = req.readableLength;
  // Node stops reading the connection while this much is buffered.
  if (isOff || req.complete || bytes >= req.readableHighWaterMark) {
    ready();
    return;
  }
  const held: Buffer[] = [];
  const { pass, release } = redirectParts(req, (part) => {
    if (part !== null) {
      held.push(part);
      bytes += part.length;
      if (bytes <= maxBytes) {
        arrived?.(part.length);
        return true;
      }
    }
    release();
    let hasRoom = true;
    for (const each of held) hasRoom = pass(each);
    if (part === null) pass(null);
    ready();
    return hasRoom;
  });
}

/** Whether `watchBody` works in this process. */
export const canWatchBodies = (): boolean => !isOff;

/** Shows each further part of a request's body to `accept` before its reader gets it, null for the end. What is not accepted is discarded. */
export function watchBody(req: IncomingMessage, accept: (part: Buffer | null) => boolean): void {
  const { pass } = redirectParts(req, (part) => !accept(part) || pass(part));
}

/**
 * Gives each further part of a body to `take` instead of the request's reader, null for the end, until `release` is called. `pass` hands one
 * to the reader. Both it and `take` return false to stop reading the connection.
 */
function redirectParts(req: IncomingMessage, take: (part: Buffer | null) => boolean) {
  const pass = req.push.bind(req);
  req.push = (chunk: unknown, encoding) =>
    chunk === null || Buffer.isBuffer(chunk) ? take(chunk) : pass(chunk, encoding);
  return { pass, release: (): void => void (req.push = pass) };
}

const post = (body: string): string =>
  `POST / HTTP/1.1\r\nHost: self-test\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

export const bodyParts: Shortcut = {
  name: 'bodies are watched while they arrive',
  fallback: 'a call takes its place at an API before its body has arrived; addresses file:… are refused',
  selfTest: () => {
    const read: string[] = [];
    const watched: (string | undefined)[] = [];
    return exchangeInMemory(
      {},
      post('whole') + post('more than fits'),
      (req, res) => {
        let text = '';
        watchBody(req, (part) => watched.push(part?.toString()) > 0);
        holdBody(req, 5, () => {
          text += req.complete ? 'complete: ' : 'begun: ';
          req.on('data', (chunk: Buffer) => (text += chunk.toString()));
          req.on('end', () => {
            read.push(text);
            res.end();
          });
        });
      },
      async ({ until }) => {
        await until(() => read.length === 2);
        return `${read.join()};${watched.join()}` === 'complete: whole,begun: more than fits;whole,,more than fits,';
      },
    );
  },
  disable: () => {
    isOff = true;
  },
};
