import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import { repeatedOnConflict } from '#shared/database/transaction.ts';
import type { Day } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

export interface QuotaRequest {
  activationId: string;
  cycleId: string;
  day: Day;
  /** The key whose cap or limit applies; '' for all keys without one. */
  keyId: string;
  wanted: number;
  /** With fewer than these, none are granted. */
  least: number;
  /** If fewer are granted, the holders of unused units are asked to return them. */
  needed: number;
  /** Request id for the replies of other gateways. */
  recall: string;
}

const quotaGrant = z.object({
  granted: z.number(),
  dayLeft: z.number(),
  cycleLeft: z.number(),
  /** Remaining units of the key's cap; null without a cap. */
  keyLeft: z.number().nullable(),
  /** The same of the limit of the member who made the key. */
  memberLeft: z.number().nullable(),
  /** Journals of the live gateways that were asked. */
  holders: z.array(z.string()),
});
export type QuotaGrant = z.output<typeof quotaGrant>;

export async function takeQuota(pool: Pool, journalId: string, request: QuotaRequest): Promise<QuotaGrant | undefined> {
  const query = {
    name: 'take-quota',
    text: `select granted, day_left as "dayLeft", cycle_left as "cycleLeft", key_left as "keyLeft", member_left as "memberLeft", holders
      from take_quota($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      journalId,
      request.activationId,
      request.cycleId,
      request.day,
      request.keyId,
      request.wanted,
      request.needed,
      request.recall,
      request.least,
    ],
  };
  return checkedRows(quotaGrant, await repeatedOnConflict(() => pool.query(query)))[0];
}

const quotaRelease = z.object({
  activation: z.string(),
  cycle: z.string(),
  day: z.string(),
  key: z.string(),
  keep: z.number(),
});
export type QuotaRelease = z.output<typeof quotaRelease>;

const quotaLeft = z.object({
  cycleId: z.string(),
  day: z.string(),
  activationId: z.string(),
  /** Null if nothing was ever taken for the day. */
  dayLeft: z.number().nullable(),
  cycleLeft: z.number().nullable(),
});
export type QuotaLeft = z.output<typeof quotaLeft>;

export async function releaseQuota(
  pool: Pool | ClientBase,
  journalId: string,
  releases: readonly QuotaRelease[],
  replies: readonly string[] = [],
): Promise<QuotaLeft[]> {
  const released = await pool.query({
    name: 'release-quota',
    text: `select activation_id as "activationId", cycle_id as "cycleId", day, day_left as "dayLeft", cycle_left as "cycleLeft"
      from release_quota($1, $2, $3)`,
    values: [journalId, JSON.stringify(releases), replies],
  });
  return checkedRows(quotaLeft, released);
}

export async function heldLeases(pool: Pool | ClientBase, journalId: string): Promise<QuotaRelease[]> {
  const held = await pool.query(
    'select activation_id as activation, cycle_id as cycle, day, key_id as key, 0 as keep from leases where journal_id = $1',
    [journalId],
  );
  return checkedRows(quotaRelease, held);
}

export interface UsageQuery {
  activationId: string;
  keyId: string;
  day: Day;
  /** '' if no cycle is running. */
  cycleId: string;
  /** Where its maker has a limit: what all keys of the member used is read too. */
  isLimited: boolean;
}

const usage = z.object({
  dayUsed: z.number(),
  cycleUsed: z.number(),
  keyUsed: z.number(),
  memberUsed: z.number(),
});
/** In units. */
export type Usage = z.output<typeof usage>;

export async function readUsage(
  pool: Pool,
  { activationId, keyId, day, cycleId, isLimited }: UsageQuery,
): Promise<Usage> {
  const read = await pool.query({
    name: 'read-use',
    text: `
      select day_used as "dayUsed", cycle_used as "cycleUsed",
        (select coalesce(sum(units), 0) from usage_counts
          where activation_id = $1 and counted and day = $2 and key_id = $4) as "keyUsed",
        case when $5 then (select coalesce(sum(u.units), 0)
          from api_keys k join usage_counts u on u.activation_id = k.activation_id and u.day = $2 and u.key_id = k.id and u.counted
          where k.id = any(keys_of_limit($4, $2))) else 0 end as "memberUsed"
      from quota_used($1, $3, $2)`,
    values: [activationId, day, cycleId, keyId, isLimited],
  });
  return checkedRows(usage, read)[0] ?? { dayUsed: 0, cycleUsed: 0, keyUsed: 0, memberUsed: 0 };
}
