import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';

export class BodyTooLarge extends Error {}

/** Streams a body and enforces the limit, since a chunked body announces no length. */
export function limitBody(req: IncomingMessage, maxBytes: number): Readable {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new BodyTooLarge());
      else done(null, chunk);
    },
  });
  req.on('error', (error) => counter.destroy(error));
  // The product responded before it read everything. The rest must be read, or the caller's connection would stay stuck in this request.
  counter.on('close', () => {
    req.unpipe(counter);
    req.resume();
  });
  return req.pipe(counter);
}
