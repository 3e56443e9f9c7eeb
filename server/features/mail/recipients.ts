import type { Db, Tx } from '#shared/database/connect.ts';
import type { MailedType } from '#shared/domain/mail-kind.ts';
import { audiences, getsMail, kindOfMail, type SentKind } from '#shared/policies/members/mails.ts';
import { readProfile } from '#server/features/account/account.ts';
import type { EventContext, Owner } from '#server/portal.ts';
import type { EventMail } from './event-mail.ts';

export interface Recipient {
  recipient: string;
  /** Empty when nobody knows it. */
  recipientName: string;
  /** Of the customer, and what kind of mail it is for the member. */
  member?: { id: string; kind: SentKind };
}

/** Who gets the mail about an event: each address once. Nobody of an erased customer, which has no members. */
export async function recipientsOf(
  { settings: { providerName, supportEmail } }: EventContext,
  owner: Owner,
  tx: Tx,
  type: MailedType,
  { toSupport, toAccountant, to, thread }: EventMail,
): Promise<Recipient[]> {
  if (toAccountant) return [{ recipient: toAccountant.email, recipientName: '' }];
  if (to !== undefined) return [{ recipient: to, recipientName: '' }];
  if (toSupport) return [{ recipient: supportEmail, recipientName: `${providerName} support` }];
  const kind = kindOfMail[type];
  if (kind === 'addressed') throw new Error(`the mail about ${type} is addressed to nobody`);
  const writers = kind === 'support.answered' && thread ? await selectWriters(tx, thread.id) : new Set<string>();
  const byAddress = new Map<string, Recipient>();
  const profile = await readProfile(owner, tx);
  for (const { id, email, name, role, mails_off: mailsOff, mails_on } of await selectMembers(owner, tx)) {
    const choice = { mailsOff, mailsOn: writers.has(id) ? [...mails_on, kind] : mails_on };
    const address = email.toLowerCase();
    if (!getsMail(role, kind, choice) || byAddress.has(address)) continue;
    const recipientName = role === 'owner' ? (profile?.legalName ?? name) : name;
    byAddress.set(address, { recipient: email, recipientName, member: { id, kind } });
  }
  return [...byAddress.values()];
}

/** The members of now, the owner first. */
function selectMembers({ customerId }: Owner, tx: Tx) {
  return tx
    .selectFrom('members')
    .select(['id', 'email', 'name', 'role', 'mails_off', 'mails_on'])
    .where('customer_id', '=', customerId)
    .where('removed_at', 'is', null)
    .orderBy((of) => of.case().when('role', '=', 'owner').then(0).else(1).end())
    .orderBy('joined_at')
    .orderBy('id')
    .execute();
}

/** The members who wrote in a thread. */
async function selectWriters(tx: Tx, threadId: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('support_messages')
    .select('member_id')
    .distinct()
    .where('thread_id', '=', threadId)
    .where('member_id', 'is not', null)
    .execute();
  return new Set(rows.flatMap(({ member_id: id }) => id ?? []));
}

interface ToMember {
  customer_id: string | null;
  recipient: string;
  member_id: string | null;
  kind: SentKind | null;
}

/**
 * May a mail still leave? Not to a member who was removed meanwhile, or whose role of now may not have it; another member of the same address gets it as
 * well.
 */
export async function mayStillGetMail(db: Db | Tx, mail: ToMember): Promise<boolean> {
  if (mail.member_id === null || mail.kind === null) return true;
  const member = await db
    .selectFrom('members')
    .select('id')
    .where('customer_id', '=', mail.customer_id)
    .where('removed_at', 'is', null)
    .where('role', 'in', audiences[mail.kind].may)
    .where((row) =>
      row.or([
        row('id', '=', mail.member_id),
        row(row.fn<string>('lower', ['email']), '=', mail.recipient.toLowerCase()),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return member !== undefined;
}
