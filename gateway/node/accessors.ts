import { IncomingMessage, OutgoingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Shortcut } from './shortcut.ts';

/** A property that Node documents; that it is an accessor of this prototype, which a class of ours can put its own in front of, is not. */
export function accessorOf(of: { prototype: object }, name: string): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(of.prototype, name) ?? {};
}

const needed: readonly [{ prototype: object }, string][] = [
  [IncomingMessage, 'headers'],
  [Readable, 'readableEnded'],
  [OutgoingMessage, 'headersSent'],
  [OutgoingMessage, 'writableEnded'],
];

let isOff = false;

/** Can a product in this process be shown a request and a response that the gateway holds back? */
export const canHoldMessages = (): boolean => !isOff;

export const accessors: Shortcut = {
  name: 'requests and responses that are held back',
  instead: 'APIs run as processes of their own; one with an address file:… is refused',
  works: () => needed.every(([of, name]) => accessorOf(of, name).get !== undefined),
  turnOff: () => {
    isOff = true;
  },
};
