import { ServerResponse } from 'node:http';
import { getRequest, rehearse } from './rehearse.ts';
import type { Shortcut } from './shortcut.ts';

/** Where every response of Node's keeps its head as text until it is sent; once it is there, the head counts as given. */
const property = '_header';
let isOff = false;

/** May `giveText` be used? */
export const takesText = (): boolean => !isOff;

/** Gives a response that nothing was sent of all of its bytes, each a character of `text`. It is to be ended without more. */
export function giveText(res: ServerResponse, text: string): void {
  Reflect.set(res, property, text);
}

export const headText: Shortcut = {
  name: 'responses as one text',
  instead: 'writeHead and end, 2 µs a response more',
  works: () => {
    const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    const answer = (_req: unknown, res: ServerResponse): void => {
      giveText(res, text);
      if (res.headersSent) res.end();
    };
    return rehearse({ ServerResponse }, getRequest + getRequest, answer, async ({ got, until }) => {
      await until(() => got().length >= 2 * text.length);
      return got() === text + text;
    });
  },
  turnOff: () => {
    isOff = true;
  },
};
