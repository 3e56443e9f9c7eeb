import type { Db, Tx } from '#shared/database/connect.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** With which a caller makes sure that nothing is done twice. */
export interface CallerKey {
  text: string;
  /** The hash of the call and its input. */
  asked: Buffer;
}

interface KeyedRequest {
  requestId: string;
  operatorId: string;
  key: CallerKey | undefined;
  at: Date;
}

/** In the transaction of what is done or asked for with the key; waits for another request that has it. */
export async function claimKey(tx: Tx, request: KeyedRequest): Promise<void> {
  const { requestId: request_id, operatorId: operator_id, key, at: made_at } = request;
  if (key === undefined) return;
  const { text: idempotency_key, asked } = key;
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ operator_id, idempotency_key, asked, request_id, made_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('request_id')
    .executeTakeFirst();
  if (!claimed) await requireUnusedKey(tx, request);
}

/** Refuses a key that another request had. */
export async function requireUnusedKey(db: Db | Tx, { requestId, operatorId, key }: KeyedRequest): Promise<void> {
  if (key === undefined) return;
  const used = await db
    .selectFrom('idempotency_keys')
    .select('asked')
    .where('operator_id', '=', operatorId)
    .where('idempotency_key', '=', key.text)
    .where('request_id', '<>', requestId)
    .executeTakeFirst();
  if (used) throw refuse(used.asked.equals(key.asked) ? 'already_done' : 'key_reused');
}
