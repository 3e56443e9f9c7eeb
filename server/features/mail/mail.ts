import type { Db, Tx } from '#database/connect.ts';
import { documentKinds } from '#domain/document.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { newId } from '#server/platform/ids.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { type Letter, letterHtml, letterText } from './letter.ts';

/**
 * Writes a mail in the transaction of its cause; both happen or neither. `occasion` names what it tells of: the same occasion
 * is told once. A mail with a document leaves when the document's paper has been made.
 */
export async function writeMail(
  portal: Portal,
  caller: Caller,
  tx: Tx | Db,
  occasion: string,
  letter: Letter,
  /** `toSupport`: the provider's own people read it, not the customer. */
  options: { documentId?: string; toSupport?: boolean } = {},
): Promise<void> {
  const { documentId, toSupport } = options;
  const [user, profile] = await Promise.all([readUser(caller, tx), readProfile(caller, tx)]);
  const { providerName, supportEmail } = portal.settings;
  const recipientName = toSupport ? `${providerName} support` : (profile?.legalName ?? user.name);
  const head = { ...portal.settings, recipientName };
  const mail = await tx
    .insertInto('mails')
    .values({
      id: newId('MSG'),
      occasion,
      customer_id: caller.customerId,
      recipient: toSupport ? supportEmail : user.email,
      // A name may hold anything; a subject is one line.
      subject: letter.subject.replaceAll(/\s+/g, ' '),
      body_text: letterText(letter, head),
      body_html: letterHtml(letter, head),
      document_id: documentId ?? null,
      created_at: new Date(portal.clock()),
      sent_at: null,
    })
    .onConflict((conflict) => conflict.column('occasion').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (mail && documentId === undefined) await portal.jobs.send(tx, 'send-mail', { mailId: mail.id });
}

/** Lets the mails leave that waited for a document's paper. */
export async function sendMailsOf(portal: Portal, documentId: string): Promise<void> {
  const waiting = await portal.db
    .selectFrom('mails')
    .select('id')
    .where('document_id', '=', documentId)
    .where('sent_at', 'is', null)
    .execute();
  for (const { id } of waiting) await portal.jobs.send(portal.db, 'send-mail', { mailId: id });
}

/** Hands a mail to the mail server. Without one (development) it stays where it is, to be looked at. */
export async function sendMail(portal: Portal, mailId: string): Promise<void> {
  if (!portal.mailer) return;
  const mail = await portal.db
    .selectFrom('mails')
    .leftJoin('documents', 'documents.id', 'mails.document_id')
    .leftJoin('document_files', 'document_files.document_id', 'mails.document_id')
    .select(['mails.id', 'recipient', 'subject', 'body_text', 'body_html', 'mails.document_id', 'sent_at'])
    .select(['documents.kind', 'documents.number', 'document_files.pdf'])
    .where('mails.id', '=', mailId)
    .executeTakeFirst();
  if (!mail || mail.sent_at !== null) return;
  if (mail.document_id !== null && mail.pdf === null)
    throw new Error(`the paper of ${mail.document_id} is not made yet`);
  await portal.mailer.send({
    id: mail.id,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
    ...(mail.pdf && mail.kind && mail.number
      ? { attachment: { filename: attachmentName(mail.kind, mail.number), pdf: mail.pdf } }
      : {}),
  });
  await portal.db
    .updateTable('mails')
    .set({ sent_at: new Date(portal.clock()) })
    .where('id', '=', mailId)
    .execute();
}

/** `tax-invoice-OCT-26-27-000001.pdf` */
export function attachmentName(kind: keyof typeof documentKinds, number: string): string {
  return `${documentKinds[kind].title.toLowerCase().replaceAll(' ', '-')}-${number.replaceAll('/', '-')}.pdf`;
}
