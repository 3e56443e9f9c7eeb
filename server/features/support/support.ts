import type { SupportMessage } from '#contract/support.ts';
import { transaction } from '#database/transaction.ts';
import { readUser } from '#server/features/account/account.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { writeMail } from '#server/features/mail/mail.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { insertSupportMessage } from './store.ts';

/** Keeps a message and mails it to the provider's people, both or neither. */
export async function writeToSupport(
  portal: Portal,
  caller: Caller,
  written: { subject: string; message: string; activationId: string | null },
): Promise<SupportMessage> {
  const message = { id: newId('SUP'), ...written, createdAt: new Date(portal.clock()).toISOString() };
  await transaction(portal.db, async (tx) => {
    if (written.activationId !== null) await requireActivation(caller, tx, written.activationId);
    const user = await readUser(caller, tx);
    await insertSupportMessage(caller, tx, message);
    const letter = {
      subject: `${message.id}: ${message.subject}`,
      paragraphs: [...message.message.split(/\n{2,}/), `Answer to ${user.email}.`],
      facts: [
        ['From', `${user.name} <${user.email}>`],
        ['Customer', caller.customerId],
        ...(message.activationId === null ? [] : [['Activation', message.activationId] satisfies [string, string]]),
      ] satisfies [string, string][],
    };
    await writeMail(portal, caller, tx, `support:${message.id}`, letter, { toSupport: true });
  });
  return message;
}
