import type { FoundCall } from '#shared/request-log/log.ts';
import type { Portal } from '#server/portal.ts';

/** A logged call of any customer, for the operator. */
export interface SoughtCall extends FoundCall {
  customerId: string;
}

/** The call with a request id; undefined if the log has none. */
export async function findCall(
  { db, requestLog }: Pick<Portal, 'db' | 'requestLog'>,
  requestId: string,
): Promise<SoughtCall | undefined> {
  const call = await requestLog.find(requestId);
  const key =
    call && (await db.selectFrom('api_keys').select('customer_id').where('id', '=', call.keyId).executeTakeFirst());
  return key && { ...call, customerId: key.customer_id };
}
