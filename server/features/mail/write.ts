import type { Tx } from '#shared/database/connect.ts';
import { dedupeKeyOf } from '#shared/domain/dedupe-key.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { MailedType } from '#shared/domain/mail-kind.ts';
import type { Month } from '#shared/domain/month.ts';
import { brandOf } from '#server/brand/brand.ts';
import { accentOf, mailLinksOf, mailLogoOf } from '#server/brand/brand-page.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Owner, EventContext } from '#server/portal.ts';
import { providerMonth } from './accountant-texts.ts';
import { letterHtml, letterText } from './letter.ts';
import type { EventMail } from './event-mail.ts';
import { type Recipient, recipientsOf } from './recipients.ts';

/** Writes the mail of an event to each of its recipients, in the event's transaction. */
export async function writeMail(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  event: PortalEvent<MailedType>,
  mail: EventMail,
): Promise<void> {
  const dedupeKey = dedupeKeyOf(event);
  for (const recipient of await recipientsOf(portal, owner, tx, event.type, mail))
    await insertMail(portal, tx, { dedupeKey, ...owner, ...recipient }, mail);
}

/** Writes the mail with the provider's own month to its accountant. */
export async function writeProviderMail(
  portal: EventContext,
  tx: Tx,
  pack: { dedupeKey: string; recipient: string; month: Month; documents: number; fitsMail: boolean },
): Promise<void> {
  const { dedupeKey, recipient, month, fitsMail } = pack;
  const mail = { letter: providerMonth(portal.settings.providerName, pack), ...(fitsMail && { packMonth: month }) };
  await insertMail(portal, tx, { dedupeKey, customerId: null, recipient, recipientName: '' }, mail);
}

async function insertMail(
  portal: EventContext,
  tx: Tx,
  to: Recipient & { dedupeKey: string; customerId: string | null },
  mail: EventMail,
): Promise<void> {
  const { letter, documentIds = [], packMonth, toAccountant, arePrinted = false, thread } = mail;
  const brand = brandOf(portal.settings);
  const links = mailLinksOf(brand, portal.settings);
  const head = {
    ...portal.settings,
    recipientName: to.recipientName,
    accent: accentOf(brand),
    logo: mailLogoOf(brand, portal.settings.portalUrl),
    links: to.member ? [...links, mailSettings(portal.settings)] : links,
  };
  const [first, ...further] = documentIds;
  const written = await tx
    .insertInto('mails')
    .values({
      id: newId('MSG'),
      dedupe_key: to.dedupeKey,
      customer_id: to.customerId,
      recipient: to.recipient,
      member_id: to.member?.id ?? null,
      kind: to.member?.kind ?? null,
      // A name may contain line breaks; a subject must not.
      subject: letter.subject.replaceAll(/\s+/g, ' '),
      body_text: letterText(letter, head),
      body_html: letterHtml(letter, head),
      document_id: first ?? null,
      accountant_id: toAccountant?.id ?? null,
      pack_month: packMonth ?? null,
      stop_path: letter.stop?.path ?? null,
      thread_id: thread?.id ?? null,
      reply_to: thread?.replyTo ?? null,
      created_at: new Date(portal.clock()),
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (further.length > 0) {
    const rows = further.map((document_id, index) => ({ mail_id: written.id, place: index + 2, document_id }));
    await tx.insertInto('mail_documents').values(rows).execute();
  }
  if (first === undefined || arePrinted) await portal.jobs.send(tx, 'send-mail', { mailId: written.id });
}

/** Where a member chooses which mails come; others can't open it. */
function mailSettings({ portalUrl }: { portalUrl: string }) {
  return { label: 'Choose your mails', address: `${portalUrl}/account?view=mails` };
}
