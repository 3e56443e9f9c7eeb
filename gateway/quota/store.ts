import type { Pool } from 'pg';
import type { Day } from '#domain/day.ts';

export interface QuotaRequest {
  activationId: string;
  cycleId: string;
  day: Day;
  /** The key whose cap applies; '' for all keys without a cap. */
  keyId: string;
  wanted: number;
  /** If fewer are granted, the holders of unused units are asked to return them. */
  needed: number;
  /** Request id for the replies of other gateways. */
  recall: string;
}

export interface QuotaGrant {
  granted: number;
  dayLeft: number;
  cycleLeft: number;
  /** Remaining units of the key's cap; null without a cap. */
  keyLeft: number | null;
  /** Journals of the live gateways that were asked. */
  holders: string[];
}

export async function takeQuota(pool: Pool, journalId: string, request: QuotaRequest): Promise<QuotaGrant | undefined> {
  const taken = await pool.query<QuotaGrant>({
    name: 'take-quota',
    text: `select granted, day_left as "dayLeft", cycle_left as "cycleLeft", key_left as "keyLeft", holders
      from take_quota($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      journalId,
      request.activationId,
      request.cycleId,
      request.day,
      request.keyId,
      request.wanted,
      request.needed,
      request.recall,
    ],
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
  /** Null if nothing was ever taken for the day. */
  dayLeft: number | null;
  cycleLeft: number | null;
}

export async function releaseQuota(
  pool: Pool,
  journalId: string,
  releases: readonly QuotaRelease[],
  replies: readonly string[] = [],
): Promise<QuotaLeft[]> {
  const finishRelease = await pool.query<QuotaLeft>({
    name: 'release-quota',
    text: `select activation_id as "activationId", cycle_id as "cycleId", day, day_left as "dayLeft", cycle_left as "cycleLeft"
      from release_quota($1, $2, $3)`,
    values: [journalId, JSON.stringify(releases), replies],
  });
  return finishRelease.rows;
}

export async function heldLeases(pool: Pool, journalId: string): Promise<QuotaRelease[]> {
  const held = await pool.query<QuotaRelease>(
    'select activation_id as activation, cycle_id as cycle, day, key_id as key, 0 as keep from leases where journal_id = $1',
    [journalId],
  );
  return held.rows;
}

export interface UsageQuery {
  activationId: string;
  keyId: string;
  day: Day;
  /** '' if no cycle is running. */
  cycleId: string;
}

export interface Usage {
  dayUsed: number;
  cycleUsed: number;
  keyUsed: number;
}

export async function readUsage(pool: Pool, { activationId, keyId, day, cycleId }: UsageQuery): Promise<Usage> {
  const read = await pool.query<Usage>({
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
