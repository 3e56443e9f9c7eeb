import type { Tx } from '#database/connect.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Caller, EventContext } from '#server/portal.ts';
import { letterHtml, letterText } from './letter.ts';
import type { EventMail } from './mail-of-event.ts';

/** Writes the mail of an event, in the event's transaction. */
export async function writeMail(
  portal: EventContext,
  caller: Caller,
  tx: Tx,
  dedupeKey: string,
  { letter, documentId, toSupport }: EventMail,
): Promise<void> {
  const [user, profile] = await Promise.all([readUser(caller, tx), readProfile(caller, tx)]);
  const { providerName, supportEmail } = portal.settings;
  const recipientName = toSupport ? `${providerName} support` : (profile?.legalName ?? user.name);
  const head = { ...portal.settings, recipientName };
  const mail = await tx
    .insertInto('mails')
    .values({
      id: newId('MSG'),
      dedupe_key: dedupeKey,
      customer_id: caller.customerId,
      recipient: toSupport ? supportEmail : user.email,
      // A name may contain line breaks; a subject must not.
      subject: letter.subject.replaceAll(/\s+/g, ' '),
      body_text: letterText(letter, head),
      body_html: letterHtml(letter, head),
      document_id: documentId ?? null,
      created_at: new Date(portal.clock()),
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (documentId === undefined) await portal.jobs.send(tx, 'send-mail', { mailId: mail.id });
}
