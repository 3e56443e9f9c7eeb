import { buffer } from 'node:stream/consumers';
import type { Tx } from '#database/connect.ts';
import { dayOf } from '#domain/day.ts';
import { documentFileName } from '#domain/document.ts';
import { dedupeKeyOf, type PortalEvent } from '#domain/event.ts';
import type { Month } from '#domain/month.ts';
import { isOptionalMail } from '#domain/optional-mail.ts';
import { readMailsOff } from '#server/features/account/account.ts';
import { readMonthPack, readProviderPack } from '#server/features/month-pack/month-pack.ts';
import type { Caller, EventContext, Portal } from '#server/portal.ts';
import { mailOfEvent } from './mail-of-event.ts';
import { writeMail } from './write.ts';

export { writeProviderMail } from './write.ts';

export { escapeHtml } from './letter.ts';

/** Writes what an event has to be mailed, and lets the mails leave that waited for a document's PDF. */
export async function mailEvent(portal: EventContext, caller: Caller, tx: Tx, event: PortalEvent): Promise<void> {
  const mail = await mailOfEvent(portal, caller, tx, event);
  if (mail && !(await isOff(caller, tx, event))) await writeMail(portal, caller, tx, dedupeKeyOf(event), mail);
  if (event.type === 'document.finished') await sendWaiting(portal, tx, event.documentId);
}

/** Whether the customer has switched this kind of mail off. */
async function isOff(caller: Caller, tx: Tx, { type }: PortalEvent): Promise<boolean> {
  return isOptionalMail(type) && (await readMailsOff(caller, tx)).includes(type);
}

async function sendWaiting(portal: EventContext, tx: Tx, documentId: string): Promise<void> {
  const waiting = await tx
    .selectFrom('mails')
    .select('id')
    .where('document_id', '=', documentId)
    .where('sent_at', 'is', null)
    .execute();
  for (const { id } of waiting) await portal.jobs.send(tx, 'send-mail', { mailId: id });
}

/** Sends a mail. Without a mail server (development) it stays in the outbox. */
export async function sendMail(portal: Portal, mailId: string): Promise<void> {
  if (!portal.mailer) return;
  const mail = await portal.db
    .selectFrom('mails')
    .leftJoin('documents', 'documents.id', 'mails.document_id')
    .leftJoin('document_files', 'document_files.document_id', 'mails.document_id')
    // A mail that was written before the amendment gets the first version, if it is still waiting.
    .leftJoin('amendments', (join) =>
      join
        .onRef('amendments.document_id', '=', 'mails.document_id')
        .onRef('amendments.amended_at', '<=', 'mails.created_at'),
    )
    .leftJoin('amendment_files', 'amendment_files.document_id', 'amendments.document_id')
    .select(['mails.id', 'recipient', 'subject', 'body_text', 'body_html', 'mails.document_id', 'sent_at'])
    .select(['mails.customer_id', 'pack_month', 'stop_path'])
    .select(['documents.kind', 'documents.number', 'document_files.pdf'])
    .select(['amendments.document_id as amended_id', 'amendment_files.pdf as amended_pdf'])
    .where('mails.id', '=', mailId)
    .executeTakeFirst();
  if (!mail || mail.sent_at !== null) return;
  const pdf = mail.amended_id === null ? mail.pdf : mail.amended_pdf;
  if (mail.document_id !== null && pdf === null)
    throw new Error(`the PDF of ${mail.document_id} has not been rendered yet`);
  await portal.mailer.send({
    id: mail.id,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
    ...(pdf && mail.kind && mail.number
      ? {
          attachment: {
            filename: documentFileName(mail.kind, mail.number),
            content: pdf,
            contentType: 'application/pdf',
          },
        }
      : {}),
    ...(mail.pack_month !== null && { attachment: await attachedPack(portal, mail.customer_id, mail.pack_month) }),
    ...(mail.stop_path !== null && { stopUrl: `${portal.settings.portalUrl}${mail.stop_path}` }),
  });
  await portal.db
    .updateTable('mails')
    .set({ sent_at: new Date(portal.clock()) })
    .where('id', '=', mailId)
    .execute();
}

/** The ZIP of a month: a customer's, or the provider's. */
async function attachedPack(portal: Portal, customerId: string | null, month: Month) {
  const zip =
    customerId === null
      ? (await readProviderPack(portal.db, month, dayOf(portal.clock()))).zip
      : await readMonthPack(portal, { customerId }, month);
  return { filename: `documents-${month}.zip`, content: await buffer(zip), contentType: 'application/zip' } as const;
}
