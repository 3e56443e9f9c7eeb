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
  const push = req.push.bind(req);
  req.push = (part: unknown, encoding) => {
    if (Buffer.isBuffer(part)) {
      held.push(part);
      bytes += part.length;
      if (bytes <= maxBytes) {
        arrived?.(part.length);
        return true;
      }
    }
    req.push = push;
    let hasRoom = true;
    for (const each of held) hasRoom = push(each);
    // Null, the end.
    if (!Buffer.isBuffer(part)) push(part, encoding);
    ready();
    return hasRoom;
  };
}

const post = (body: string): string =>
  `POST / HTTP/1.1\r\nHost: self-test\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

export const bodyParts: Shortcut = {
  name: 'bodies are held back while they arrive',
  fallback: 'a call takes its place at an API before its body has arrived',
  selfTest: () => {
    const read: string[] = [];
    return exchangeInMemory(
      {},
      post('whole') + post('more than fits'),
      (req, res) => {
        let text = '';
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
        return read.join() === 'complete: whole,begun: more than fits';
      },
    );
  },
  disable: () => {
    isOff = true;
  },
};
