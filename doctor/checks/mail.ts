import { countRows } from '#shared/database/expressions.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { replyTimeoutMs } from '#doctor/installation.ts';
import { selectUnsentMails } from '#server/features/mail/unsent.ts';
import { verifyMailbox } from '#server/imap/mailbox.ts';
import { verifyMailServer } from '#server/smtp/mailer.ts';

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

export const mailServer: Check = {
  name: 'mail',
  about: 'does the mail server let us in, and with TLS?',
  examine: async ({ portal: { smtpUrl }, isProduction }) => {
    if (smtpUrl === undefined) {
      if (!isProduction) return [unchecked('SMTP_URL is not set: mails are stored and shown, and not sent.')];
      return [
        fault(
          'SMTP_URL is not set.',
          'Customers get no receipts, warnings or documents by mail; mails are only stored.',
          'Set SMTP_URL and MAIL_FROM: docs/operating/mail.md.',
        ),
      ];
    }
    const { host, protocol } = URL.canParse(smtpUrl) ? new URL(smtpUrl) : { host: '', protocol: '' };
    const refused = await reachable(smtpUrl, false);
    if (refused !== undefined)
      return [
        fault(
          `The mail server ${host} refuses us: ${refused}.`,
          'Mails wait and are tried again for some days.',
          // At a port that begins with TLS, each side waits for the other.
          protocol === 'smtp:' && /greeting never received/i.test(refused)
            ? 'The port seems to expect TLS from the first byte, as 465 does: write smtps:// instead of smtp:// in SMTP_URL.'
            : 'Compare address, port, user and password in SMTP_URL with what your mail provider says; characters such as @ and / in the password must be written as %40 and %2F.',
        ),
      ];
    if (protocol === 'smtps:' || loopback.test(new URL(smtpUrl).hostname)) return [fine(`${host} lets us in.`)];
    const withoutTls = await reachable(smtpUrl, true);
    if (withoutTls === undefined)
      return /[?&]requireTLS=true/i.test(smtpUrl)
        ? [fine(`${host} lets us in, with TLS.`)]
        : [
            warning(
              `${host} offers TLS, and SMTP_URL does not require it.`,
              'Somebody on the way could take the offer away and read password and mails.',
              'Add ?requireTLS=true to SMTP_URL.',
            ),
          ];
    return [
      fault(
        `${host} offers no TLS that we can use: ${withoutTls}.`,
        'Password and mails travel readable.',
        'Use the port and address with TLS: smtps://…:465, or smtp://…:587?requireTLS=true.',
      ),
    ];
  },
};

async function reachable(smtpUrl: string, requireTls: boolean): Promise<string | undefined> {
  try {
    await verifyMailServer(smtpUrl, { requireTls, timeoutMs: replyTimeoutMs });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

export const supportInbox: Check = {
  name: 'support-inbox',
  about: 'the mailbox of replies to support: does it let us in?',
  examine: async ({ portal: { supportInbox: inbox } }) => {
    if (inbox === undefined)
      return [unchecked('SUPPORT_INBOX is not set: replies are written with octroi support reply.')];
    const { host } = new URL(inbox);
    try {
      await verifyMailbox(inbox, replyTimeoutMs);
      return [fine(`${host} lets us in.`)];
    } catch (error) {
      return [
        fault(
          `The mailbox of support at ${host} cannot be read: ${reasonOf(error)}.`,
          'What customers reply by mail does not reach their support threads.',
          'Compare address, port, user, password and folder in SUPPORT_INBOX with what your mail provider says; characters such as @ and / in the password must be written as %40 and %2F.',
        ),
      ];
    }
  },
};

const lateMs = 3_600_000;

export const unsentMails: Check = {
  name: 'unsent-mails',
  about: 'mails that wait for more than an hour',
  examine: async ({ db, portal: { smtpUrl }, now }): Promise<Finding[]> => {
    if (db === undefined || smtpUrl === undefined) return [unchecked('There is no mail server, or no database.')];
    const { waiting } = await selectUnsentMails(db, now())
      .select(countRows().as('waiting'))
      .where('created_at', '<', new Date(now() - lateMs))
      .executeTakeFirstOrThrow();
    if (waiting === 0) return [fine('No mail waits.')];
    return [
      warning(
        `${waiting} mails wait for more than an hour.`,
        'Their recipients have not heard of a payment, a document or a warning.',
        'Look at the check “mail” and at octroi waiting, which says why each failed; they are sent by themselves once the cause is gone.',
      ),
    ];
  },
};
