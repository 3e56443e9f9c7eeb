import { z } from 'zod';

/** What an id can identify among a customer's data. */
export const ownedNouns = [
  'activation',
  'cycle',
  'delivery',
  'document',
  'file',
  'invitation',
  'key',
  'member',
  'order',
  'passkey',
  'payment',
  'thread',
  'webhook',
] as const;
export type OwnedNoun = (typeof ownedNouns)[number];

/** Products and plans belong to everyone; customer, accountant and offered ids are in signed links, mail ids in the development outbox. */
export type IdNoun = OwnedNoun | 'accountant' | 'customer' | 'mail' | 'offered' | 'plan' | 'product';

const namedNouns = z.registry<{ nouns: readonly IdNoun[] }>();

/** An id in a path, query or body. An unknown id gets a 404, so only its length is checked. */
function idOf(...nouns: IdNoun[]) {
  return z.string().min(1).max(80).register(namedNouns, { nouns });
}

/** Every id declares what it identifies: the ownership tests are generated from it. */
export const ids = {
  accountant: idOf('accountant'),
  activation: idOf('activation'),
  /** An activation id stands for its first unpaid cycle. */
  activationOrCycle: idOf('activation', 'cycle'),
  customer: idOf('customer'),
  cycle: idOf('cycle'),
  delivery: idOf('delivery'),
  document: idOf('document'),
  file: idOf('file'),
  invitation: idOf('invitation'),
  key: idOf('key'),
  mail: idOf('mail'),
  member: idOf('member'),
  /** An invitation of which the link is the permission. */
  offered: idOf('offered'),
  order: idOf('order'),
  passkey: idOf('passkey'),
  payment: idOf('payment'),
  plan: idOf('plan'),
  product: idOf('product'),
  thread: idOf('thread'),
  webhook: idOf('webhook'),
};

/** What an id identifies, including optional and nullable ones, and lists; undefined for other values. */
export function nounsOf(schema: unknown): readonly IdNoun[] | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return nounsOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return nounsOf(schema.element);
  return schema instanceof z.ZodString ? namedNouns.get(schema)?.nouns : undefined;
}
