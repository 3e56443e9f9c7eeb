import { OutgoingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequest, exchangeInMemory } from './in-memory-exchange.ts';
import type { Shortcut } from './shortcut.ts';

/** Where Node stores the response that a connection is sending. */
const property = '_httpMessage';
let isOff = false;

/** Whether a response has begun on this connection and may be incomplete. */
export function isSending(socket: Duplex): boolean {
  // Without this property, assume so as soon as any byte was written.
  if (isOff) return 'bytesWritten' in socket && socket.bytesWritten !== 0;
  const sending: unknown = Reflect.get(socket, property);
  return sending instanceof OutgoingMessage && sending.headersSent;
}

export const sendingResponse: Shortcut = {
  name: 'the response in progress on a connection',
  fallback: 'a malformed request that follows another on a connection closes it without a response',
  selfTest: () => {
    const seen: boolean[] = [];
    let ended: Duplex | undefined;
    const respond = (req: { socket: Duplex }, res: ServerResponse): void => {
      const { socket } = req;
      seen.push(isSending(socket));
      res.write('begun');
      seen.push(isSending(socket));
      res.end(() => (ended = socket));
    };
    // Since Node 24.21 the connection lets go of the response only after the callback of `end`.
    return exchangeInMemory({}, getRequest, respond, async ({ until }) => {
      const isFree = await until(() => ended !== undefined && !isSending(ended));
      return isFree && seen.join() === 'false,true';
    });
  },
  disable: () => {
    isOff = true;
  },
};
