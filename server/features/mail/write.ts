import type { Db, Tx } from '#database/connect.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { newId } from '#server/crypto/ids.ts';
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

/** Which of these occasions have a mail already; there may be any number of them. */
export async function toldOccasions(db: Db, occasions: string[]): Promise<Set<string>> {
  if (occasions.length === 0) return new Set();
  // One array and not a list: a statement takes 65,535 parameters at most.
  const rows = await db
    .selectFrom('mails')
    .select('occasion')
    .where((mail) => mail('occasion', '=', mail.fn.any(mail.val(occasions))))
    .execute();
  return new Set(rows.map((row) => row.occasion));
}
