import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { WaitingKind } from '#shared/contract/operator/waiting.ts';
import type { Db } from '#shared/database/connect.ts';

export type Item = OperatorReply<'listWaiting'>['kinds'][number]['waiting'][number];

/** Reads a kind, the most urgent first. One that may be long reads no more than `limit`. */
export type Read = (db: Db, nowMs: number, limit: number) => Promise<Item[]>;

/** The reads of some kinds. */
export type Reads<Kind extends WaitingKind> = Record<Kind, Read>;

/** Of nothing that is a customer's. */
export const ofInstallation = (about: string, command: string, since: Date | string | null = null): Item => ({
  id: null,
  customerId: null,
  about,
  since: since instanceof Date ? since.toISOString() : since,
  due: null,
  command,
});
