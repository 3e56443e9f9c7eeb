import type { Pool } from 'pg';
import type { StoredStatus } from '#domain/cycle.ts';
import type { Day } from '#domain/day.ts';

/** Every statement that the gateway sends, but for those of its own listening connection (membership.ts). */

export interface StoredCycle {
  id: string;
  status: StoredStatus;
  fromDate: Day;
  toDate: Day;
  dailyQuota: number;
  monthlyQuota: number;
  rps: number;
  planId: string;
  planName: string;
}

export interface StoredKey {
  keyId: string;
  activationId: string;
  customerId: string;
  serviceId: string;
  revoked: boolean;
  /** It reaches the sandbox, and no plan. */
  test: boolean;
  expiresAt: Date | null;
  /** Addresses and networks that may use it; empty for all. */
  allowedIps: string[];
  /** Calls a day, beside the plan's quotas; null for no cap. */
  dailyCap: number | null;
  cycles: StoredCycle[];
}

/** Keys with everything that decides about their calls, by the SHA-256 of each key in base64. */
export async function findKeys(pool: Pool, keyHashes: readonly Buffer[]): Promise<Map<string, StoredKey>> {
  const found = await pool.query<StoredKey & { keyHash: Buffer }>({
    name: 'find-keys',
    text: `
      select k.key_hash as "keyHash", k.id as "keyId", a.id as "activationId", a.customer_id as "customerId", a.service_id as "serviceId",
        (k.revoked_at is not null or a.deleted_at is not null) as revoked,
        k.test, k.expires_at as "expiresAt", k.allowed_ips::text[] as "allowedIps", k.daily_cap as "dailyCap",
        coalesce((
          select json_agg(json_build_object(
            'id', c.id, 'status', c.status, 'fromDate', c.from_date, 'toDate', c.to_date,
            'dailyQuota', c.daily_quota, 'monthlyQuota', c.monthly_quota, 'rps', c.rps,
            'planId', c.plan->>'planId', 'planName', c.plan->>'name') order by c.from_date)
          from cycles c
          where c.activation_id = a.id and c.status in ('PAID', 'NO_PAYMENT_REQUIRED', 'PAYMENT_PENDING')
        ), '[]') as cycles
      from api_keys k join activations a on a.id = k.activation_id
      where k.key_hash = any($1)`,
    values: [keyHashes],
  });
  return new Map(found.rows.map(({ keyHash, ...key }) => [keyHash.toString('base64'), key]));
}

export interface TestCallRequest {
  customerId: string;
  productId: string;
  day: Day;
  /** Test calls that the customer may make on that day. */
  cap: number;
}

/** Takes one test call of a customer's day; false when all are taken. */
export async function takeTestCall(pool: Pool, { customerId, productId, day, cap }: TestCallRequest): Promise<boolean> {
  const taken = await pool.query<{ taken: boolean }>({
    name: 'take-test-call',
    text: 'select take_test_call($1, $2, $3, $4) as taken',
    values: [customerId, productId, day, cap],
  });
  return taken.rows[0]?.taken === true;
}

export interface QuotaRequest {
  activationId: string;
  cycleId: string;
  day: Day;
  /** The key whose cap the units are for; '' for all keys without one. */
  keyId: string;
  wanted: number;
  /** With fewer than this, others are asked to give back what they do not use. */
  needed: number;
  /** Names this request in the others' answers. */
  recall: string;
}

export interface QuotaGrant {
  granted: number;
  dayLeft: number;
  cycleLeft: number;
  /** What is left of the key's cap; null without one. */
  keyLeft: number | null;
  /** Journals of the living gateways that were asked. */
  holders: string[];
}

/** Takes units on lease; undefined when the cycle does not give access on that day. */
export async function takeQuota(pool: Pool, journalId: string, ask: QuotaRequest): Promise<QuotaGrant | undefined> {
  const taken = await pool.query<QuotaGrant>({
    name: 'take-quota',
    text: `select granted, day_left as "dayLeft", cycle_left as "cycleLeft", key_left as "keyLeft", holders
      from take_quota($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [journalId, ask.activationId, ask.cycleId, ask.day, ask.keyId, ask.wanted, ask.needed, ask.recall],
  });
  return taken.rows[0];
}

export interface QuotaRelease {
  activation: string;
  cycle: string;
  day: Day;
  key: string;
  keep: number;
}

export interface QuotaLeft {
  cycleId: string;
  day: Day;
  activationId: string;
  /** Null when the day was never taken from. */
  dayLeft: number | null;
  cycleLeft: number | null;
}

/** Makes each lease hold exactly what it keeps, gives the rest back, and sends `answers` to those who asked. */
export async function releaseQuota(
  pool: Pool,
  journalId: string,
  releases: readonly QuotaRelease[],
  answers: readonly string[] = [],
): Promise<QuotaLeft[]> {
  const released = await pool.query<QuotaLeft>({
    name: 'release-quota',
    text: `select activation_id as "activationId", cycle_id as "cycleId", day, day_left as "dayLeft", cycle_left as "cycleLeft"
      from release_quota($1, $2, $3)`,
    values: [journalId, JSON.stringify(releases), answers],
  });
  return released.rows;
}

/** What a call is counted under. */
export interface CallKind {
  activation: string;
  cycle: string;
  key: string;
  /** The lease that a unit was taken from: the key where it has a cap, else ''. */
  lease: string;
  day: Day;
  class: number;
  counted: boolean;
}

/** Calls of one kind, as the journal keeps them and the database counts them. */
export interface CallTally extends CallKind {
  calls: number;
  /** Epoch milliseconds of the last of them. */
  lastMs: number;
}

/** Counts what stands in the journal from one position to another; a second time does nothing. */
export async function countCalls(
  pool: Pool,
  journalId: string,
  from: number,
  to: number,
  tallies: readonly CallTally[],
): Promise<void> {
  const calls = tallies
    .filter((tally) => tally.calls !== 0)
    .map(({ lastMs, ...tally }) => ({ ...tally, last: new Date(lastMs) }));
  await pool.query({
    name: 'count-calls',
    text: 'select count_calls($1, $2, $3, $4)',
    values: [journalId, from, to, JSON.stringify(calls)],
  });
}

/** A call with an Idempotency-Key to which a product gave a response that would count. */
export interface RepeatableCall extends Omit<CallKind, 'counted'> {
  /** Its request id. */
  id: string;
  /** The request id of the call that the response was first given to: its own unless it is a replay; null for a replay that doesn't tell. */
  response: string | null;
  /** SHA-256 of the Idempotency-Key, in hexadecimal digits. */
  keyHash: string;
  /** When the call came. */
  startedAt: Date;
  /** The response broke off: if this call was counted, it is taken back. */
  broken: boolean;
}

/** Counts each of these unless its response was counted before; gives the request ids of those that are counted. The same statement sent twice does nothing more. */
export async function countRepeatable(
  pool: Pool,
  journalId: string,
  calls: readonly RepeatableCall[],
): Promise<ReadonlySet<string>> {
  const counted = await pool.query<{ id: string }>({
    name: 'count-repeatable',
    text: 'select id from count_repeatable($1, $2)',
    values: [journalId, JSON.stringify(calls)],
  });
  return new Set(counted.rows.map(({ id }) => id));
}

/** What a journal still holds on lease. */
export async function heldLeases(pool: Pool, journalId: string): Promise<QuotaRelease[]> {
  const held = await pool.query<QuotaRelease>(
    'select activation_id as activation, cycle_id as cycle, day, key_id as key, 0 as keep from leases where journal_id = $1',
    [journalId],
  );
  return held.rows;
}

export interface UseOf {
  activationId: string;
  keyId: string;
  day: Day;
  /** '' when no cycle runs. */
  cycleId: string;
}

export interface Use {
  dayUsed: number;
  cycleUsed: number;
  keyUsed: number;
}

/** Calls counted on a day, in a cycle, and on the day with one key: the numbers that the portal shows. */
export async function readUse(pool: Pool, { activationId, keyId, day, cycleId }: UseOf): Promise<Use> {
  const read = await pool.query<Use>({
    name: 'read-use',
    text: `
      select day_used as "dayUsed", cycle_used as "cycleUsed",
        (select coalesce(sum(calls), 0) from usage_counts
          where activation_id = $1 and counted and day = $2 and key_id = $4) as "keyUsed"
      from quota_used($1, $3, $2)`,
    values: [activationId, day, cycleId, keyId],
  });
  return read.rows[0] ?? { dayUsed: 0, cycleUsed: 0, keyUsed: 0 };
}
