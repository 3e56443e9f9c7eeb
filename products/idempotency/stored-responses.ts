import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { deleteBatches } from '#products/store/delete-batches.ts';
import type { Store } from '#products/store/store.ts';

/** A response as it was sent. */
export interface StoredResponse {
  status: number;
  contentType: string;
  contentDisposition?: string | undefined;
  body: Buffer;
}

/** A stored response, and the request id of the call that first got it; '' when that call had none. */
export interface ReplayableResponse extends StoredResponse {
  firstRequestId: string;
}

export interface KeyedRequest {
  /** The activation whose key makes the call. */
  caller: string;
  /** The customer whose storage limit applies. */
  customer: string;
  key: string;
  requestHash: string;
  /** Of the call that claims the key. */
  requestId: string;
}

/** `startedAt` distinguishes a claim from a later one on the same key. */
export type Claim =
  | { state: 'claimed'; startedAt: Date }
  | { state: 'stored'; response: ReplayableResponse }
  | { state: 'running' }
  | { state: 'other-request' };

/** How long responses are stored; after that, the key may be used for another request. */
const lifetimeMs = 24 * 3_600_000;
/** A call that has not ended by then was cut off by a crash: its retry may do the work. */
const abandonedMs = 60_000;

/** The most that is stored for one customer. */
export interface StorageLimits {
  responses: number;
  bytes: number;
}

/** Enough for the retries of a few minutes, and little disk space even with many customers. */
export const storageLimits: StorageLimits = { responses: 1000, bytes: 16 * 1024 * 1024 };

const rowSchema = z.object({
  request_hash: z.string(),
  status: z.number().nullable(),
  content_type: z.string().nullable(),
  content_disposition: z.string().nullable(),
  body: z.instanceof(Buffer).nullable(),
  first_request_id: z.string(),
});

/** Claims a key for a call, or returns the state of the call that holds it. `nowMs` is epoch milliseconds. */
export function claimKey(
  store: Store,
  { caller, customer, key, requestHash, requestId }: KeyedRequest,
  nowMs: number,
): Promise<Claim> {
  const startedAt = new Date(nowMs);
  return store.transaction(async (client) => {
    const taken = await client.query(
      `insert into products.answers as held (caller, key, request_hash, started_at, customer, first_request_id) values ($1, $2, $3, $4, $7, $8)
       on conflict (caller, key) do update set request_hash = excluded.request_hash, started_at = excluded.started_at,
           customer = excluded.customer, first_request_id = excluded.first_request_id,
           answered_at = null, status = null, content_type = null, content_disposition = null, body = null
         where coalesce(held.answered_at, held.started_at) < $6
           or held.answered_at is null and held.started_at < $5 and held.request_hash = excluded.request_hash
       returning key`,
      [
        caller,
        key,
        requestHash,
        startedAt,
        new Date(nowMs - abandonedMs),
        new Date(nowMs - lifetimeMs),
        customer,
        requestId,
      ],
    );
    if (taken.rowCount === 1) return { state: 'claimed', startedAt };
    const found = await client.query(
      'select request_hash, status, content_type, content_disposition, body, first_request_id from products.answers where caller = $1 and key = $2',
      [caller, key],
    );
    const [row] = checkedRows(rowSchema, found);
    if (row !== undefined && row.request_hash !== requestHash) return { state: 'other-request' };
    if (row?.status == null || row.content_type === null || row.body === null) return { state: 'running' };
    const { status, content_type: contentType, body, first_request_id: firstRequestId } = row;
    const contentDisposition = row.content_disposition ?? undefined;
    return { state: 'stored', response: { status, contentType, contentDisposition, body, firstRequestId } };
  });
}

/**
 * Stores the response of a claimed call for its retries. A customer's oldest responses beyond the limits are evicted: a
 * retry of such a call does its work again. New responses are never refused, since their calls were made and paid for.
 */
export async function storeResponse(
  store: Store,
  { caller, customer, key }: KeyedRequest,
  startedAt: Date,
  { status, contentType, contentDisposition, body }: StoredResponse,
  nowMs: number,
  limits: StorageLimits,
): Promise<void> {
  await store.transaction(async (client) => {
    // One at a time per customer; two concurrent ones would not see each other's response.
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [answersLock, customer]);
    await client.query(
      `update products.answers set answered_at = $4, status = $5, content_type = $6, body = $7, content_disposition = $8
       where caller = $1 and key = $2 and started_at = $3`,
      [caller, key, startedAt, new Date(nowMs), status, contentType, body, contentDisposition],
    );
    await client.query(
      `with ranked as (
         select caller, key, row_number() over newest as place, sum(octet_length(body)) over newest as bytes
         from products.answers where customer = $1 and answered_at is not null
         window newest as (order by answered_at desc, started_at desc, caller, key)
       ), beyond as (
         select a.caller, a.key from products.answers a join ranked r on r.caller = a.caller and r.key = a.key
         where r.place > $2 or r.bytes > $3 for update of a skip locked
       )
       delete from products.answers a using beyond b where a.caller = b.caller and a.key = b.key`,
      [customer, limits.responses, limits.bytes],
    );
  });
}

/** An arbitrary number that no other advisory lock begins with: the letters "answ". */
const answersLock = 0x616e7377;

/** Releases the key of a call that was refused or failed: nothing was done, so it can be retried. */
export async function releaseKey(store: Store, { caller, key }: KeyedRequest, startedAt: Date): Promise<void> {
  await store.transaction((client) =>
    client.query(
      'delete from products.answers where caller = $1 and key = $2 and started_at = $3 and answered_at is null',
      [caller, key, startedAt],
    ),
  );
}

/** Deletes the responses of all callers that are no longer stored, and the claims of calls that never ended. */
export function deleteOldResponses(store: Store, nowMs: number, stopping: AbortSignal): Promise<number> {
  return deleteBatches(
    store,
    `delete from products.answers where ctid = any(array(
       select ctid from products.answers where coalesce(answered_at, started_at) < $1 limit $2 for update skip locked))`,
    new Date(nowMs - lifetimeMs),
    stopping,
  );
}
