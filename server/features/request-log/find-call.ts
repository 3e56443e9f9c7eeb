import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import { type LoggedCall, readCalls } from '#shared/domain/logged-call.ts';
import { bytesOfRequestId } from '#shared/domain/request-id.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { mayHold } from './store.ts';

/** A logged call of any customer, for the operator. */
export interface SoughtCall extends LoggedCall {
  customerId: string;
  activationId: string;
  keyId: string;
}

const batchRow = z.object({
  customerId: z.string(),
  activationId: z.string(),
  keyId: z.string(),
  day: z.string(),
  dictionary: z.string(),
  records: z.instanceof(Buffer),
});

/** The call with a request id, looked for in the newest days first; undefined if the log has none. Reads the records of every day until it is found. */
export async function findCall(db: Db, requestId: string): Promise<SoughtCall | undefined> {
  const id = bytesOfRequestId(requestId);
  for (const day of await loggedDays(db)) {
    const found = await sql`
      select k.customer_id as "customerId", b.activation_id as "activationId", b.key_id as "keyId", b.day, b.dictionary, b.records
      from request_log b join api_keys k on k.id = b.key_id
      where b.day = ${day} and ${mayHold(id)}`.execute(db);
    for (const { day: of, dictionary, records, ...owner } of checkedRows(batchRow, found)) {
      const call = readCalls(of, dictionary, records).find((each) => each.requestId === requestId);
      if (call !== undefined) return { ...call, ...owner };
    }
  }
  return undefined;
}

/** Newest first. */
async function loggedDays(db: Db): Promise<Day[]> {
  const found = await sql`select distinct day from request_log order by day desc`.execute(db);
  return checkedRows(z.object({ day: z.string() }), found).map(({ day }) => day);
}
