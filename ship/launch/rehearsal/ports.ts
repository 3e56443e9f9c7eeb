import { z } from 'zod';

/** The ports, one after the other: those with TLS that browsers and callers use, and those behind them on which the parts listen. */
const portNames = [
  'portal',
  'gateway',
  'google',
  'razorpay',
  'gstn',
  's3',
  'portalBehind',
  'gatewayBehind',
  'taxLookup',
  'invoicing',
  'googleBehind',
  'razorpayBehind',
  'gstnBehind',
  's3Behind',
  'mail',
] as const;
export type RehearsalPorts = Record<(typeof portNames)[number], number>;
export const portCount = portNames.length;

export function portsFrom(first: number): RehearsalPorts {
  return z
    .record(z.enum(portNames), z.number())
    .parse(Object.fromEntries(portNames.map((name, index) => [name, first + index])));
}
