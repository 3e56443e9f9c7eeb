import { duplexPair } from 'node:stream';
import { setImmediate as oneTurn } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import type { Shortcut } from './shortcut.ts';

/** More turns of the event loop than the self-test takes. */
const maxTurns = 200;
let isOff = false;

/** undici's parser of the responses of one connection. */
interface Parser {
  /** Of the wait for the head of a response, among others. */
  timeout: unknown;
  onHeadersComplete: (status: number, upgrade: boolean, keepAlive: boolean) => number;
}

function isParser(value: unknown): value is Parser {
  if (typeof value !== 'object' || value === null) return false;
  const { timeout, onHeadersComplete }: Partial<Parser> = value;
  return timeout !== undefined && typeof onHeadersComplete === 'function';
}

/**
 * Lets undici accept, on a new connection of its own, any number of 100 Continue that nobody asked for (RFC 9110 §15.2), which it takes for an
 * error. No interim response prolongs the wait for the final one, or an API could hold a call for ever.
 */
export function acceptLegalResponses(socket: object): void {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  const parser: unknown = symbol && Reflect.get(socket, symbol);
  if (isOff || !isParser(parser)) return;
  const complete = parser.onHeadersComplete.bind(parser);
  parser.onHeadersComplete = (status, upgrade, keepAlive) => {
    if (status >= 200) return complete(status, upgrade, keepAlive);
    // undici starts its timeout again if it finds one.
    const { timeout } = parser;
    parser.timeout = null;
    const result = complete(status === 100 ? 102 : status, upgrade, keepAlive);
    parser.timeout = timeout;
    return result;
  };
}

const testResponses = [
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 204 No Content\r\n\r\n',
];

export const lenientResponses: Shortcut = {
  name: 'responses of APIs that HTTP allows and undici refuses',
  fallback: '100 Continue that nobody asked for is a 502, and an API that sends 103 again and again is waited for',
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
      return statuses.join() === '200,204' && connections === 1;
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
