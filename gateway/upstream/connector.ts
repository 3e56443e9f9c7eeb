import type { Socket } from 'node:net';
import { buildConnector, errors } from 'undici';
import { acceptLegalResponses } from '#gateway/node/lenient-responses.ts';
import { isLinkLocal } from '#shared/platform/addresses.ts';
import { errorCode } from './call-errors.ts';
import type { UpstreamTls } from './upstream-options.ts';

/** Shared by all connections: each read is copied out before the next one. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Opens connections to an API. Without TLS, reads go into one shared buffer and only the received bytes are copied. Node would allocate
 * 64 KB for each read and shrink it afterwards, and garbage collection visits each of these buffers; most responses are small.
 */
export function createConnector({ protocol }: URL, timeout: number, tls: UpstreamTls = {}): buildConnector.connector {
  // One connector for all TLS connections, because it caches TLS sessions.
  const tlsConnector = protocol === 'https:' ? buildConnector({ ...tls, timeout }) : undefined;
  return (target, done) => {
    let opened: Socket | undefined;
    let lastWritten = -1;
    const copyRead = (length: number): boolean => {
      if (opened === undefined) return false;
      const received = readBuffer.subarray(0, length);
      const written = opened.bytesWritten;
      // The first read after a request is usually the entire response. Later reads may queue up behind a slow caller, where a small slice of
      // Node's buffer pool would keep 8 KB alive, so those get exact copies.
      const copy = written === lastWritten ? exactCopy(received) : Buffer.from(received);
      lastWritten = written;
      return opened.push(copy);
    };
    const connect = tlsConnector ?? buildConnector({ timeout, onread: { buffer: readBuffer, callback: copyRead } });
    connect(target, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      // A name can lead there although the catalogue's address looks like any other. Nothing has been sent yet.
      if (isLinkLocal(socket.remoteAddress ?? '')) {
        socket.destroy();
        return done(new errors.SocketError('the address of the API is one of the machine itself, not of an API'), null);
      }
      opened = socket;
      deferEnd(socket);
      done(null, socket);
      return acceptLegalResponses(socket);
    });
  };
}

function exactCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/**
 * Delays the end of a connection until undici has read everything. If the API closes while undici is paused for a slow caller, undici 7
 * throws an uncaught exception (nodejs/undici#5360; fixed in 8, which needs Node 22). Also turns a connection reset into an error: undici
 * would take the bytes received so far for a complete response.
 */
function deferEnd(socket: Socket): void {
  const push = socket.push.bind(socket);
  const read = socket.read.bind(socket);
  const destroy = socket.destroy.bind(socket);
  let ended = false;
  let notifying = false;
  /** A paused reader ignores this event. */
  const notifyReader = (): void => {
    notifying = true;
    socket.emit('readable');
    notifying = false;
  };
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk !== null || socket.listenerCount('readable') === 0) return push(chunk, encoding);
    ended = true;
    notifyReader();
    return false;
  };
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    // Node itself calls read(0).
    if (!ended || chunk !== null || size === 0) return chunk;
    if (notifying) {
      ended = false;
      process.nextTick(push, null);
    } else process.nextTick(notifyReader);
    return chunk;
  };
  socket.destroy = (error?: Error) => {
    const isReset = error !== undefined && errorCode(error) === 'ECONNRESET';
    return destroy(isReset ? new errors.SocketError('the API reset the connection') : error);
  };
}
