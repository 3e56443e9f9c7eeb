import type { Pool } from 'pg';
import { z } from 'zod';
import type { StoredStatus } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

const callCost = z.object({
  units: z.number(),
  counts: z.array(z.union([z.number(), z.enum(['2xx', '3xx', '4xx'])])).optional(),
});

const storedCycle = z.object({
  id: z.string(),
  status: z.enum(['PAID', 'NO_PAYMENT_REQUIRED', 'PAYMENT_PENDING']) satisfies z.ZodType<StoredStatus>,
  fromDate: z.string(),
  toDate: z.string(),
  dailyQuota: z.number(),
  monthlyQuota: z.number(),
  rps: z.number(),
  planId: z.string(),
  planName: z.string(),
  /** By operation; null if every call costs one unit. */
  costs: z.record(z.string(), callCost).nullable(),
  /** Operations that the plan includes; null for all. */
  operations: z.array(z.string()).nullable(),
  /** The end of the window of free quota in which it starts; null if it starts in none. */
  windowEnd: z.string().nullable(),
  /** From this day on it is refused until a bill of its customer is paid; null for a plan that is paid. */
  stopsOn: z.string().nullable(),
});
export type StoredCycle = z.output<typeof storedCycle>;

const storedKey = z.object({
  keyId: z.string(),
  /** Its first characters; null for keys made before they were stored. */
  keyPrefix: z.string().nullable(),
  activationId: z.string(),
  customerId: z.string(),
  serviceId: z.string(),
  revoked: z.boolean(),
  /** The operator blocked its customer. */
  blocked: z.boolean(),
  /** Calls go to the sandbox and take nothing from a plan. */
  test: z.boolean(),
  expiresAt: z.date().nullable(),
  /** Addresses and networks that may use the key; empty for all. */
  allowedIps: z.array(z.string()),
  /** Calls per day, in addition to the plan's quotas; null for no cap. */
  dailyCap: z.number().nullable(),
  /** The member who made it and has a limit for all keys that the member made; null for no limit. */
  maker: z.object({ memberId: z.string(), dailyLimit: z.number() }).nullable(),
  cycles: z.array(storedCycle),
});
export type StoredKey = z.output<typeof storedKey>;
const foundKey = storedKey.extend({ keyHash: z.instanceof(Buffer) });

export async function findKeys(pool: Pool, keyHashes: readonly Buffer[]): Promise<Map<string, StoredKey>> {
  const found = await pool.query({
    name: 'find-keys',
    text: `
      select k.key_hash as "keyHash", k.id as "keyId", k.prefix as "keyPrefix", a.id as "activationId", a.customer_id as "customerId", a.service_id as "serviceId",
        (k.revoked_at is not null or a.deleted_at is not null) as revoked,
        u.blocked_at is not null as blocked,
        k.test, k.expires_at as "expiresAt", k.allowed_ips::text[] as "allowedIps", k.daily_cap as "dailyCap",
        (select json_build_object('memberId', m.id, 'dailyLimit', m.daily_limit) from members m where m.id = k.made_by and m.daily_limit is not null) as maker,
        coalesce((
          select json_agg(json_build_object(
            'id', c.id, 'status', c.status, 'fromDate', c.from_date, 'toDate', c.to_date,
            'dailyQuota', c.daily_quota + pack_units(c.id), 'monthlyQuota', c.monthly_quota + pack_units(c.id), 'rps', coalesce(a.calls_per_second, c.rps),
            'planId', c.plan->>'planId', 'planName', c.plan->>'name',
            'costs', c.plan->'costs', 'operations', c.plan->'operations', 'windowEnd', free_window_end(c), 'stopsOn', plan_stops_on(c)) order by c.from_date)
          from cycles c
          where c.activation_id = a.id and c.status in ('PAID', 'NO_PAYMENT_REQUIRED', 'PAYMENT_PENDING') and c.adds_to is null
        ), '[]') as cycles
      from api_keys k join activations a on a.id = k.activation_id join customers u on u.id = a.customer_id
      where k.key_hash = any($1)`,
    values: [keyHashes],
  });
  return new Map(checkedRows(foundKey, found).map(({ keyHash, ...key }) => [keyHash.toString('base64'), key]));
}

export interface TestCallRequest {
  customerId: string;
  productId: string;
  day: Day;
  /** Test calls that the customer may make per day. */
  cap: number;
}

export async function takeTestCall(pool: Pool, { customerId, productId, day, cap }: TestCallRequest): Promise<boolean> {
  const taken = await pool.query({
    name: 'take-test-call',
    text: 'select take_test_call($1, $2, $3, $4) as taken',
    values: [customerId, productId, day, cap],
  });
  return checkedRows(z.object({ taken: z.boolean() }), taken)[0]?.taken === true;
}
