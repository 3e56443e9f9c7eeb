import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dedupeKeyOf } from '#shared/domain/dedupe-key.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import type { EventContext } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { mayStillGetMail } from './recipients.ts';
import { withoutLinks } from './without-links.ts';

/** A mail to a customer that can be sent again. Throws OperatorRefusal. */
export async function requireResendable(db: Db | Tx, mailId: string) {
  const mail = await db
    .selectFrom('mails')
    .leftJoin('accountants', 'accountants.id', 'mails.accountant_id')
    .select(['mails.id', 'mails.customer_id', 'recipient', 'subject', 'body_text', 'sent_at', 'fault', 'ended_at'])
    .select(['member_id', 'kind', 'withheld'])
    .where('mails.id', '=', mailId.trim())
    .executeTakeFirst();
  if (!mail || mail.customer_id === null)
    throw new OperatorRefusal(`There is no mail ${mailId} to a customer.`, 'not_found');
  if (mail.ended_at !== null)
    throw new OperatorRefusal(`${mailId} is to an accountant who does not get the papers of this customer any more.`);
  if (!(await mayStillGetMail(db, mail)))
    throw new OperatorRefusal(`${mailId} is to a member who was removed, or may not have it in the role of now.`);
  if (mail.sent_at === null && mail.fault === null && !mail.withheld)
    throw new OperatorRefusal(`${mailId} has not been sent yet: it leaves by itself, with its documents.`);
  const { id, customer_id: customerId, recipient, subject, body_text: text } = mail;
  return {
    mailId: id,
    customerId,
    recipient,
    subject,
    text: withoutLinks(text),
    fault: mail.withheld ? null : mail.fault,
  };
}

/**
 * Sends a mail again: as a new mail, since mail programs show a second one with the same id as the first. One that could not be sent is tried again
 * itself. Throws OperatorRefusal.
 */
export function resendMail(context: OperatorContext, mailId: string, cause: OperatorCause) {
  return transaction(context.db, async (tx) => {
    const mail = await requireResendable(tx, mailId);
    const { customerId } = mail;
    const copyId = mail.fault === null ? newId('MSG') : null;
    await recordAction(tx, { ...cause, action: 'mails.resend', target: mail.mailId, customerId, effect: { copyId } });
    if (copyId === null) await context.jobs.send(tx, 'send-mail', { mailId: mail.mailId });
    else await happened(context, { customerId }, tx, { type: 'mail.resent', mailId: mail.mailId, copyId });
    return { ...mail, copyId };
  });
}

/** The same mail with an id of its own, and its documents as their newest versions are. */
export async function copyMail(portal: EventContext, tx: Tx, event: PortalEvent<'mail.resent'>): Promise<void> {
  const { mailId, copyId } = event;
  const mail = await tx.selectFrom('mails').selectAll().where('id', '=', mailId).executeTakeFirstOrThrow();
  const own = { id: copyId, dedupe_key: dedupeKeyOf(event), created_at: new Date(portal.clock()), sent_at: null };
  await tx
    .insertInto('mails')
    .values({ ...mail, ...own, fault: null, withheld: false })
    .execute();
  await tx
    .insertInto('mail_documents')
    .columns(['mail_id', 'place', 'document_id'])
    .expression((from) =>
      from
        .selectFrom('mail_documents')
        .select((row) => [row.val(copyId).as('mail_id'), 'place', 'document_id'])
        .where('mail_id', '=', mailId),
    )
    .execute();
  await portal.jobs.send(tx, 'send-mail', { mailId: copyId });
}
