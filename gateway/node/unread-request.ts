import { IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { getRequest, exchangeInMemory } from './in-memory-exchange.ts';
import type { Shortcut } from './shortcut.ts';

let isOff = false;

/** Node's method that reads the rest of a request once its response is sent. */
const dump: () => void = Reflect.get(IncomingMessage.prototype, '_dump') ?? Reflect.get(Readable.prototype, 'resume');

/** A request that is not read to its end when nothing of it is left. Only for servers where nobody waits for that end after the response. */
export class UnreadRequest extends IncomingMessage {
  /** Where Node keeps what `readableEnded` says. */
  declare readonly _readableState: { endEmitted: boolean };

  _dump(): void {
    if (isOff || !this.complete || this.readableLength > 0) dump.call(this);
    else this._readableState.endEmitted = true;
  }
}

export const unreadRequest: Shortcut = {
  name: 'requests without a body stay unread',
  fallback: 'every request is read to its end: 1 µs more per call',
  selfTest: () => {
    const ended: (string | undefined)[] = [];
    const post = 'POST / HTTP/1.1\r\nHost: self-test\r\nContent-Length: 2\r\n\r\nok';
    return exchangeInMemory(
      { IncomingMessage: UnreadRequest },
      getRequest + post + getRequest,
      (req: IncomingMessage, res: ServerResponse) => {
        req.on('end', () => ended.push(req.method));
        res.end();
      },
      async ({ received, until }) => {
        const responded = await until(() => received().split('HTTP/1.1 200').length === 4 && ended.length > 0);
        return responded && ended.join() === 'POST';
      },
    );
  },
  disable: () => {
    isOff = true;
  },
};
