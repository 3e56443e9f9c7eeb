import { buffer } from 'node:stream/consumers';
import { isDatabaseAway } from '#shared/database/clients.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { EventDocument } from '#shared/domain/bill-event.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { Month } from '#shared/domain/month.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { readMonthPack, readProviderPack } from '#server/features/month-pack/month-pack.ts';
import type { Owner, EventContext, Portal } from '#server/portal.ts';
import type { Mailer } from '#server/smtp/mailer.ts';
import { readDocuments, selectComplete, selectWaiting } from './attachments.ts';
import { paper } from './document-texts.ts';
import { withoutAttachment } from './letter.ts';
import { isMailed, mailOfEvent } from './mail-of-event.ts';
import { mayStillGetMail } from './recipients.ts';
import { copyMail } from './resend.ts';
import { writeMail } from './write.ts';

export { selectUnsentMails } from './unsent.ts';
export { writeProviderMail } from './write.ts';

export { escapeHtml } from './letter.ts';

/** Writes what an event has to be mailed, and lets the mails leave that waited for a document's PDF. */
export async function mailEvent(portal: EventContext, owner: Owner, tx: Tx, event: PortalEvent): Promise<void> {
  if (event.type === 'mail.resent') return copyMail(portal, tx, event);
  if (isMailed(event)) {
    const mail = await mailOfEvent(portal, owner, tx, event);
    if (mail) await writeMail(portal, owner, tx, event, mail);
  }
  if (event.type === 'document.finished') await sendWaiting(portal, tx, event.documentId);
  if (event.type === 'document.refused') {
    await sayThatItFollows(tx, event.document);
    await sendWaiting(portal, tx, event.document.id);
  }
}

async function sendWaiting(portal: EventContext, tx: Tx, documentId: string): Promise<void> {
  for (const mailId of await selectComplete(tx, documentId)) await portal.jobs.send(tx, 'send-mail', { mailId });
}

/** The mails that wait for a document without a PDF say that it follows later. */
async function sayThatItFollows(tx: Tx, document: EventDocument): Promise<void> {
  const sentence = `The government’s invoice portal has not accepted ${paper(document)}, so it is not attached. Another mail says what to do.`;
  for (const { id, body_text: text, body_html: html } of await selectWaiting(tx, document.id)) {
    const mail = withoutAttachment({ text, html }, paper(document), sentence);
    await tx.updateTable('mails').set({ body_text: mail.text, body_html: mail.html }).where('id', '=', id).execute();
  }
}

/** Sends a mail, unless it is to a member who may not have it any more. Without a mail server (development) it stays in the outbox. */
export async function sendMail(portal: Portal, mailId: string): Promise<void> {
  if (!portal.mailer) return;
  const mail = await selectUnsent(portal.db, mailId);
  if (!mail) return;
  if (!(await mayStillGetMail(portal.db, mail))) {
    await portal.db.updateTable('mails').set({ withheld: true }).where('id', '=', mailId).execute();
    return;
  }
  try {
    await send(portal, portal.mailer, mail);
  } catch (error) {
    if (!isDatabaseAway(error)) await setFault(portal.db, mailId, reasonOf(error));
    throw error;
  }
  await portal.db
    .updateTable('mails')
    .set({ sent_at: new Date(portal.clock()), fault: null })
    .where('id', '=', mailId)
    .execute();
}

/** For operators, until it is sent or given up. */
async function setFault(db: Db, mailId: string, fault: string): Promise<void> {
  await db.updateTable('mails').set({ fault }).where('id', '=', mailId).where('sent_at', 'is', null).execute();
}

const selectUnsent = (db: Db, mailId: string) =>
  db
    .selectFrom('mails')
    .select(['id', 'recipient', 'subject', 'body_text', 'body_html', 'document_id', 'created_at'])
    .select(['customer_id', 'pack_month', 'stop_path', 'thread_id', 'reply_to', 'member_id', 'kind'])
    .where('id', '=', mailId)
    .where('sent_at', 'is', null)
    .where('withheld', '=', false)
    .executeTakeFirst();

type UnsentMail = NonNullable<Awaited<ReturnType<typeof selectUnsent>>>;

async function send(portal: Portal, mailer: Mailer, mail: UnsentMail): Promise<void> {
  await mailer.send({
    id: mail.id,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
    attachments:
      mail.pack_month === null
        ? await readDocuments(portal, mail)
        : [await attachedPack(portal, mail.customer_id, mail.pack_month)],
    ...(mail.thread_id !== null && { threadId: mail.thread_id }),
    ...(mail.reply_to !== null && { replyTo: mail.reply_to }),
    ...(mail.stop_path !== null && { stopUrl: `${portal.settings.portalUrl}${mail.stop_path}` }),
  });
}

/** The ZIP of a month: a customer's, or the provider's. */
async function attachedPack(portal: Portal, customerId: string | null, month: Month) {
  const zip =
    customerId === null
      ? await readProviderPack(portal, month, dayOf(portal.clock()))
      : await readMonthPack(portal, { customerId }, month);
  return { filename: `documents-${month}.zip`, content: await buffer(zip), contentType: 'application/zip' } as const;
}
