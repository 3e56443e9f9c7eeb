import { duplexPair } from 'node:stream';
import { setImmediate as oneTurn } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import type { Shortcut } from './shortcut.ts';

/** More turns of the event loop than the self-test takes. */
const maxTurns = 200;
let isOff = false;

/** undici's parser of the responses of one connection. */
interface Parser {
  /** The Content-Length of the response, as text. */
  contentLength: string;
  onHeadersComplete: (status: number, upgrade: boolean, keepAlive: boolean) => number;
}

function isParser(value: unknown): value is Parser {
  if (typeof value !== 'object' || value === null) return false;
  const { contentLength, onHeadersComplete }: Partial<Parser> = value;
  return typeof contentLength === 'string' && typeof onHeadersComplete === 'function';
}

/**
 * Lets undici accept what HTTP allows on a new connection of its own: a 304 that names the length of what it did not send (RFC 9110 §8.6), a 204
 * that should not but does, and any number of 100 Continue that nobody asked for (RFC 9110 §15.2). undici takes the first two for responses that
 * broke off, and the last for an error.
 */
export function acceptLegalResponses(socket: object): void {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  const parser: unknown = symbol && Reflect.get(socket, symbol);
  if (isOff || !isParser(parser)) return;
  const complete = parser.onHeadersComplete.bind(parser);
  parser.onHeadersComplete = (status, upgrade, keepAlive) => {
    if (status === 304 || status === 204) parser.contentLength = '';
    return complete(status === 100 ? 102 : status, upgrade, keepAlive);
  };
}

const testResponses = [
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n',
  'HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n',
];

export const lenientResponses: Shortcut = {
  name: 'responses of APIs that HTTP allows and undici refuses',
  fallback:
    'a connection to an API ends after a response without a body that names a length; 100 Continue that nobody asked for is a 502',
  selfTest: async () => {
    const [near, far] = duplexPair();
    const responses = [...testResponses];
    let connections = 0;
    far.on('data', () => far.write(responses.shift() ?? ''));
    for (const end of [near, far]) end.on('error', () => {});
    const client = new Client('http://self-test', {
      connect: (_target, done) => {
        connections += 1;
        // undici overlooks a connection that is there at once.
        process.nextTick(() => {
          Reflect.apply(done, undefined, [null, near]);
          acceptLegalResponses(near);
        });
      },
    });
    const statuses: number[] = [];
    const get = async (): Promise<void> => {
      const { statusCode, body }: Dispatcher.ResponseData = await client.request({ method: 'GET', path: '/' });
      await body.dump();
      statuses.push(statusCode);
    };
    try {
      void get()
        .then(get)
        .catch(() => {});
      for (let turn = 0; turn < maxTurns && statuses.length < 2; turn += 1) await oneTurn();
      return statuses.join() === '304,204' && connections === 1;
    } finally {
      near.destroy();
      far.destroy();
      void client.destroy();
    }
  },
  disable: () => {
    isOff = true;
  },
};
