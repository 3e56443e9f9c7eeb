import { createHash } from 'node:crypto';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import {
  isAutomatic,
  maxMailMessage,
  replyToken,
  replyTokensIn,
  withoutControls,
  writtenText,
} from '#shared/domain/mail-reply.ts';
import { maxMessagesPerDay, maxOwnMessages } from '#shared/domain/support-thread.ts';
import { mayCall } from '#shared/policies/policies.ts';
import { happened } from '#server/features/events/events.ts';
import { type MailOutcome, readMailbox } from '#server/imap/mailbox.ts';
import type { IncomingMail } from '#server/imap/read-mail.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { addressesIn } from '#server/supplier-settings.ts';
import { type AnyRefusalCode, Refusal } from '#server/refusals/refuse.ts';
import { addFurtherMessage } from './messages.ts';
import { addReply } from './provider.ts';
import { selectOperator } from './provider-store.ts';
import { countMailsSince, hasMail, type ReplyAddress, selectByToken, selectWriter } from './store.ts';

/** The message of a mail with files and no text. */
const onlyFiles = '(Files without a text)';

/** More mails of one side of a thread in an hour are a loop of two programs, not a person. */
const maxMailsPerHour = 20;

/** Why a mail was not taken. `silent`: nobody is told, as that could answer a program or a stranger. */
type Refused =
  | 'automatic'
  | 'unknown-address'
  | 'too-many'
  | 'other-sender'
  | 'empty'
  | 'only-large-files'
  | 'too-long'
  | 'thread-full'
  | 'too-many-in-a-day';
const silent: ReadonlySet<Refused> = new Set<Refused>(['automatic', 'unknown-address', 'too-many']);

/** Takes the replies that wait in the mailbox, if there is one. */
export async function takeMails(portal: Portal, items = unrecorded): Promise<void> {
  const { supportInbox, supportReplyAddress } = portal.settings;
  if (supportInbox === undefined || supportReplyAddress === undefined) return;
  const take = async (mail: IncomingMail): Promise<MailOutcome> => {
    let outcome: MailOutcome = 'later';
    await items.each(mail.messageId.slice(0, 200) || 'a mail without Message-ID', async () => {
      outcome = await takeMail(portal, mail);
    });
    return outcome;
  };
  await readMailbox(
    supportInbox,
    supportReplyAddress,
    {
      expects: async (headers) => {
        for (const token of replyTokensIn(headers))
          if ((await selectByToken(portal.db, token)) !== undefined) return true;
        portal.log.warn({ reason: 'unknown-address' }, 'a mail to support was not taken');
        return false;
      },
      take,
      onUnreadable: (error) => {
        portal.log.warn({ err: error, reason: 'unreadable' }, 'a mail to support was not taken');
      },
    },
    items.stopping,
  );
}

/**
 * Takes a reply by mail into its thread. Three things have to agree: the unguessable address that was in our mail to this side of the
 * thread, the sender, who must be this side, and a text of theirs. The mail server has to check senders (SPF, DKIM, DMARC); the address
 * alone keeps strangers out, as nobody else has it.
 */
async function takeMail(portal: Portal, mail: IncomingMail): Promise<MailOutcome> {
  const base = portal.settings.supportReplyAddress ?? '';
  const token = replyToken(base, mail.to);
  const address = token === undefined ? undefined : await selectByToken(portal.db, token);
  if (address === undefined) return refused(portal, undefined, mail, 'unknown-address');
  const hash = hashOf(address, mail);
  // It was taken, and the process ended before the mailbox knew.
  if (await hasMail(portal.db, hash)) return 'taken';
  const files = mail.files.map(({ name, content }) => ({ name, content: Buffer.from(content) }));
  const message = writtenText(mail.text, base) || (files.length === 0 ? '' : onlyFiles);
  const fault = await faultOf(portal, address, mail, message);
  if (fault !== undefined) return refused(portal, address, mail, fault);
  const { threadId, customerId, side } = address;
  const memberId = side === 'CUSTOMER' ? await selectWriter(portal.db, { customerId }, mail.from[0] ?? '') : undefined;
  const owner = { customerId, memberId };
  const written = { threadId, message, files, hash, leftOut: mail.leftOut };
  try {
    await transaction(portal.db, (tx) =>
      side === 'CUSTOMER'
        ? addFurtherMessage(portal, owner, tx, written)
        : addReply(portal, owner, tx, { ...written, actor: mail.from[0] ?? '' }),
    );
    return 'taken';
  } catch (error) {
    const limit = error instanceof Refusal ? limits[error.code] : undefined;
    if (limit === undefined) throw error;
    return refused(portal, address, mail, limit);
  }
}

/** The limits of a customer's messages, which hold for those by mail too. */
const limits: Partial<Record<AnyRefusalCode, Refused>> = {
  thread_full: 'thread-full',
  too_many_messages: 'too-many-in-a-day',
};

async function faultOf(
  portal: Portal,
  address: ReplyAddress,
  mail: IncomingMail,
  message: string,
): Promise<Refused | undefined> {
  if (isAutomatic(mail.headers)) return 'automatic';
  const [sender, ...others] = mail.from.map((each) => each.toLowerCase());
  if (sender === undefined || others.length > 0) return 'other-sender';
  const isKnown =
    address.side === 'CUSTOMER'
      ? (await selectWriter(portal.db, address, sender)) !== undefined
      : await isProviders(portal, sender);
  if (!isKnown) return 'other-sender';
  if (message === '') return mail.leftOut > 0 ? 'only-large-files' : 'empty';
  if (message.length > maxMailMessage) return 'too-long';
  const since = new Date(portal.clock() - 3_600_000);
  return (await countMailsSince(portal.db, address, since)) >= maxMailsPerHour ? 'too-many' : undefined;
}

/** Is it an address of support, or of an operator who may reply? */
async function isProviders({ db, settings }: Portal, email: string): Promise<boolean> {
  const senders = settings.supportSenders ?? addressesIn(settings.supportEmail);
  if (senders.some((each) => each.toLowerCase() === email)) return true;
  const operator = await selectOperator(db, email);
  return operator !== undefined && mayCall(operator.role, 'replyToThread');
}

/** Leaves the mail in the mailbox, and tells the side of the thread at the address that we know, once a day. */
async function refused(
  portal: Portal,
  address: ReplyAddress | undefined,
  mail: IncomingMail,
  reason: Refused,
): Promise<'refused'> {
  const { threadId, side, customerId } = address ?? {};
  portal.log.warn({ threadId, side, reason, messageId: mail.messageId }, 'a mail to support was not taken');
  if (threadId === undefined || side === undefined || customerId === undefined || silent.has(reason)) return 'refused';
  const owner: Owner = { customerId };
  const from = withoutControls(mail.from.join(', ')).slice(0, 200);
  const day = dayOf(portal.clock());
  const event = { type: 'support.mail_refused', threadId, side, from, reason: reasons[reason] ?? '', day } as const;
  await transaction(portal.db, (tx) => happened(portal, owner, tx, event));
  return 'refused';
}

const reasons: Partial<Record<Refused, string>> = {
  'other-sender': 'it came from another address than the one that we know',
  'only-large-files': 'it had no text, and its files were larger than 4 MB',
  empty: 'it had no text of its own above the quoted mail',
  'thread-full': `you have written ${maxOwnMessages} messages in this thread, which is the limit. Please start a new one in the portal`,
  'too-many-in-a-day': `you have written ${maxMessagesPerDay} messages within a day, which is the limit. Please write again tomorrow`,
  'too-long': `its text was longer than ${maxMailMessage} characters`,
};

/** One mail is one message, however often it is read. */
function hashOf({ threadId, side }: ReplyAddress, { messageId, from, text }: IncomingMail): Buffer {
  const identity = messageId === '' ? text : messageId;
  return createHash('sha256')
    .update(JSON.stringify([threadId, side, from, identity]))
    .digest();
}
