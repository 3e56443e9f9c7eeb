import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { WaitingKind } from '#shared/contract/operator/waiting.ts';
import type { Db } from '#shared/database/connect.ts';

export type Item = OperatorReply<'listWaiting'>['kinds'][number]['waiting'][number];

/** The most urgent of a kind, and how many there are. */
export interface Found {
  count: number;
  items: Item[];
}

/** Reads a kind, the most urgent first. One that may be long reads no more than `limit` and counts the others. */
export type Read = (db: Db, nowMs: number, limit: number) => Promise<Found>;

/** The reads of some kinds. */
export type Reads<Kind extends WaitingKind> = Record<Kind, Read>;

/** Of a kind that is always short. */
export const all = (items: Item[]): Found => ({ count: items.length, items });

/** Rows that each carry the number of all of them. */
export const counted = <Row extends { count: number }>(rows: readonly Row[], itemOf: (row: Row) => Item): Found => ({
  count: rows[0]?.count ?? 0,
  items: rows.map(itemOf),
});

/** Of nothing that is a customer's. */
export const ofInstallation = (about: string, command: string, since: Date | string | null = null): Item => ({
  id: null,
  customerId: null,
  about,
  since: since instanceof Date ? since.toISOString() : since,
  due: null,
  command,
});
