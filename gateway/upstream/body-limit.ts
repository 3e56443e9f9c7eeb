import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { CallerWait, WaitsFor } from './caller-wait.ts';

export class BodyTooLarge extends Error {}

/** Streams a body and enforces the limit, since a chunked body announces no length. `openWait`: opens the wait for the rest of the body. */
export function limitBody(
  req: IncomingMessage,
  maxBytes: number,
  openWait: (waitsFor: () => WaitsFor) => CallerWait,
): Readable {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      wait.moved(chunk.length);
      wait.begin(0);
      if (bytes > maxBytes) done(new BodyTooLarge());
      else done(null, chunk);
    },
  });
  // A stream that is read with `for await` says that it is paused.
  const isPaused = (): boolean => counter.isPaused() && counter.listenerCount('readable') === 0;
  const isUnread = (): boolean => counter.readableLength > 0 || isPaused();
  const wait = openWait(() => (req.complete || isUnread() ? 'api' : 'caller'));
  wait.begin(0);
  req.on('error', (error) => counter.destroy(error));
  // undici listens only once it has a connection for the call.
  counter.on('error', () => {});
  counter.on('end', () => wait.end());
  // The product responded before it read everything. The rest must be read, or the caller's connection would stay stuck in this request.
  counter.on('close', () => {
    wait.end();
    req.unpipe(counter);
    req.resume();
  });
  return req.pipe(counter);
}
