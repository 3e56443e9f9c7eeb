import type { SupportMessage } from '#contract/support.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Caller } from '#server/portal.ts';

export async function insertSupportMessage(caller: Caller, tx: Tx, message: SupportMessage): Promise<void> {
  await tx
    .insertInto('support_messages')
    .values({
      id: message.id,
      customer_id: caller.customerId,
      activation_id: message.activationId,
      subject: message.subject,
      message: message.message,
      created_at: new Date(message.createdAt),
    })
    .execute();
}

export async function selectSupportMessages(caller: Caller, db: Db): Promise<SupportMessage[]> {
  const rows = await db
    .selectFrom('support_messages')
    .selectAll()
    .where('customer_id', '=', caller.customerId)
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    subject: row.subject,
    message: row.message,
    activationId: row.activation_id,
    createdAt: row.created_at.toISOString(),
  }));
}
