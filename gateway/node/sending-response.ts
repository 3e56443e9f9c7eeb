import { OutgoingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequest, rehearse } from './rehearse.ts';
import type { Shortcut } from './shortcut.ts';

/** Where Node keeps the response that a connection is sending. */
const property = '_httpMessage';
let isOff = false;

/** Has a connection begun a response that may not be whole yet? */
export function isSending(socket: Duplex): boolean {
  // Without Node's own word, any byte may be the beginning of one.
  if (isOff) return 'bytesWritten' in socket && socket.bytesWritten !== 0;
  const sending: unknown = Reflect.get(socket, property);
  return sending instanceof OutgoingMessage && sending.headersSent;
}

export const sendingResponse: Shortcut = {
  name: 'the response that a connection is sending',
  instead: 'a malformed request after another on one connection closes it without a response',
  works: () => {
    const seen: boolean[] = [];
    const answer = (req: { socket: Duplex }, res: ServerResponse): void => {
      seen.push(isSending(req.socket));
      res.write('begun');
      seen.push(isSending(req.socket));
      const { socket } = req;
      res.end(() => seen.push(isSending(socket)));
    };
    return rehearse({}, getRequest, answer, async ({ until }) => {
      await until(() => seen.length === 3);
      return seen.join() === 'false,true,false';
    });
  },
  turnOff: () => {
    isOff = true;
  },
};
