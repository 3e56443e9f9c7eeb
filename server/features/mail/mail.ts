import { documentKinds } from '#domain/document.ts';
import type { Portal } from '#server/portal.ts';

export {
  tellOfCorrection,
  tellOfFailure,
  tellOfPayment,
  tellOfRefund,
  tellOfRefundDone,
  tellOfRefusedDocument,
  tellOfStart,
} from './notices.ts';
export { remindCustomers } from './reminders.ts';
export { escapeHtml, type Letter } from './letter.ts';
export { writeMail } from './write.ts';

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
