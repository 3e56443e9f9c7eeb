import type { SupportMessage } from '#contract/support.ts';
import { transaction } from '#database/transaction.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { happened } from '#server/features/events/events.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { insertSupportMessage } from './store.ts';

/** Stores a message and mails it to the support team, both or neither. */
export async function writeToSupport(
  portal: Portal,
  caller: Caller,
  written: { subject: string; message: string; activationId: string | null },
): Promise<SupportMessage> {
  const message = { id: newId('SUP'), ...written, createdAt: new Date(portal.clock()).toISOString() };
  await transaction(portal.db, async (tx) => {
    if (written.activationId !== null) await requireActivation(caller, tx, written.activationId);
    await insertSupportMessage(caller, tx, message);
    const { id: messageId } = message;
    await happened(portal, caller, tx, { type: 'support.asked', messageId, ...written });
  });
  return message;
}
