import type { Tx } from '#shared/database/connect.ts';
import type { Month } from '#shared/domain/month.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { brandOf } from '#server/brand/brand.ts';
import { accentOf, mailLinksOf, mailLogoOf } from '#server/brand/brand-page.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Owner, EventContext } from '#server/portal.ts';
import { providerMonth } from './accountant-texts.ts';
import { letterHtml, letterText } from './letter.ts';
import type { EventMail } from './event-mail.ts';

/** Writes the mail of an event, in the event's transaction. */
export async function writeMail(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  dedupeKey: string,
  mail: EventMail,
): Promise<void> {
  await insertMail(portal, tx, { dedupeKey, ...owner, ...(await recipientOf(portal, owner, tx, mail)) }, mail);
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

interface Recipient {
  recipient: string;
  /** Empty when nobody knows it. */
  recipientName: string;
}

async function recipientOf(
  { settings: { providerName, supportEmail } }: EventContext,
  owner: Owner,
  tx: Tx,
  { toSupport, toAccountant, to }: EventMail,
): Promise<Recipient> {
  if (toAccountant) return { recipient: toAccountant.email, recipientName: '' };
  if (to !== undefined) return { recipient: to, recipientName: '' };
  if (toSupport) return { recipient: supportEmail, recipientName: `${providerName} support` };
  const [user, profile] = await Promise.all([readUser(owner, tx), readProfile(owner, tx)]);
  return { recipient: user.email, recipientName: profile?.legalName ?? user.name };
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
    links: isToCustomer(to, mail) ? [...links, mailSettings(portal.settings)] : links,
  };
  const [first, ...further] = documentIds;
  const written = await tx
    .insertInto('mails')
    .values({
      id: newId('MSG'),
      dedupe_key: to.dedupeKey,
      customer_id: to.customerId,
      recipient: to.recipient,
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

/** Others can't open the customer's settings. */
function isToCustomer({ customerId }: { customerId: string | null }, { to, toSupport, toAccountant }: EventMail) {
  return customerId !== null && to === undefined && !toSupport && toAccountant === undefined;
}

/** Where a customer chooses which mails come. */
function mailSettings({ portalUrl }: { portalUrl: string }) {
  return { label: 'Choose your mails', address: `${portalUrl}/account?view=mails` };
}
