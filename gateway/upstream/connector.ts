import type { Socket } from 'node:net';
import { buildConnector, errors } from 'undici';
import { codeOf } from './forward.ts';

/** Where every connection's bytes are read, one read at a time. */
const justRead = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Opens connections to an API. Those without TLS keep a copy of what came, and not the 64 KB that Node would set aside for each read and
 * shrink afterwards: most answers are small, and collections of garbage look at each such piece by itself.
 */
export function connectorFor({ protocol }: URL, timeout: number): buildConnector.connector {
  // With TLS one connector remembers the sessions of all its connections.
  const forAll = protocol === 'https:' ? buildConnector({ timeout }) : undefined;
  return (target, done) => {
    let opened: Socket | undefined;
    let askedAt = -1;
    const keep = (length: number): boolean => {
      if (opened === undefined) return false;
      const piece = justRead.subarray(0, length);
      const asked = opened.bytesWritten;
      // The first piece after a request is mostly all there is. Of those that follow many may wait, and a small one keeps 8 KB from being freed.
      const kept = asked === askedAt ? exactCopy(piece) : Buffer.from(piece);
      askedAt = asked;
      return opened.push(kept);
    };
    const connect = forAll ?? buildConnector({ timeout, onread: { buffer: justRead, callback: keep } });
    connect(target, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      opened = socket;
      endWhenRead(socket);
      return done(null, socket);
    });
  };
}

function exactCopy(piece: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(piece.length);
  piece.copy(copy);
  return copy;
}

/**
 * An API may end its connection while undici rests because the caller reads slowly; undici 7 then throws where nobody can catch it
 * (nodejs/undici#5360, mended in 8, which needs Node 22). Here it hears of the end when it has read everything and asks for more. And a
 * connection that was reset is a failure: undici takes what came until then for a whole answer.
 */
function endWhenRead(socket: Socket): void {
  const push = socket.push.bind(socket);
  const read = socket.read.bind(socket);
  const destroy = socket.destroy.bind(socket);
  let ended = false;
  let asking = false;
  /** Who rests does not read, whatever it is told. */
  const askReader = (): void => {
    asking = true;
    socket.emit('readable');
    asking = false;
  };
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk !== null || socket.listenerCount('readable') === 0) return push(chunk, encoding);
    ended = true;
    askReader();
    return false;
  };
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    // Node itself asks for 0 bytes.
    if (!ended || chunk !== null || size === 0) return chunk;
    if (asking) {
      ended = false;
      process.nextTick(push, null);
    } else process.nextTick(askReader);
    return chunk;
  };
  socket.destroy = (error?: Error) => {
    const isReset = error !== undefined && codeOf(error) === 'ECONNRESET';
    return destroy(isReset ? new errors.SocketError('the API reset the connection') : error);
  };
}
