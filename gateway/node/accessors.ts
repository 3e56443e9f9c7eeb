import { IncomingMessage, OutgoingMessage } from 'node:http';
import type { Shortcut } from './shortcut.ts';

/** The accessor of a documented property. Undocumented: that it is an accessor on this prototype, which a subclass can override. */
export function getAccessor(owner: { prototype: object }, name: string): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(owner.prototype, name) ?? {};
}

const required: readonly [{ prototype: object }, string][] = [
  [IncomingMessage, 'headers'],
  [OutgoingMessage, 'headersSent'],
  [OutgoingMessage, 'writableEnded'],
];

let isOff = false;

/** Whether products can run in this process, which needs requests and responses that the gateway holds back. */
export const canHoldMessages = (): boolean => !isOff;

export const accessors: Shortcut = {
  name: 'held requests and responses',
  fallback: 'APIs must run as separate processes; addresses file:… are refused',
  selfTest: () => required.every(([owner, name]) => getAccessor(owner, name).get !== undefined),
  disable: () => {
    isOff = true;
  },
};
