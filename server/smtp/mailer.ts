import { createTransport } from 'nodemailer';
import { safeFileName } from '#shared/domain/file-name.ts';
import { withoutAddresses } from '#shared/domain/without-addresses.ts';
import { traced } from '#shared/platform/tracing.ts';

/** A mail to send: plain text, the same as HTML, and files. */
export interface Mail {
  /** Our own id; it becomes the Message-ID, so that receivers can recognise a mail that was sent twice. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments: readonly { filename: string; content: Buffer; contentType: 'application/pdf' | 'application/zip' }[];
  /** Names the conversation that it belongs to, so that mail programs show its mails together. */
  threadId?: string;
  replyTo?: string;
  /** The page on which the recipient can stop such mails. */
  stopUrl?: string;
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail; throws otherwise. */
  send: (mail: Mail) => Promise<void>;
  close: () => void;
}

/**
 * Sends mail by SMTP. `smtpUrl`: smtp://user:password@host:587 (STARTTLS if offered; with ?requireTLS=true, required), or
 * smtps://…:465. `from`: an address, with or without a name. Subjects of a rehearsal say that it is one.
 */
export function createMailer(smtpUrl: string, from: string, { rehearsal = false } = {}): Mailer {
  const transport = createTransport(smtpUrl, {
    from,
    // Mails contain only what we made: never read a file or URL because a text names it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async (mail) => {
      // Neither the recipient nor the text: a trace is not the place for them.
      const attributes = { 'octroi.mail': mail.id, 'octroi.attachments': mail.attachments.length };
      await traced('send mail', { kind: 'client', attributes }, () =>
        hidingRecipient(
          transport.sendMail({
            messageId: `<${mail.id}@${host}>`,
            to: mail.to,
            subject: rehearsal ? `Rehearsal, no money moves: ${mail.subject}` : mail.subject,
            ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
            ...(mail.threadId !== undefined && { references: `<${mail.threadId}@${host}>` }),
            text: mail.text,
            html: mail.html,
            headers: {
              'Auto-Submitted': 'auto-generated',
              ...(mail.stopUrl !== undefined && { 'List-Unsubscribe': `<${mail.stopUrl}>` }),
            },
            attachments: mail.attachments.map((file) => ({ ...file, filename: safeFileName(file.filename) })),
          }),
        ),
      );
    },
    close: () => transport.close(),
  };
}

/**
 * A mail server names the recipient in its reason, and the library has the address in fields of its error: neither belongs in the log, or in the
 * queue, which keep errors.
 */
async function hidingRecipient(sending: Promise<unknown>): Promise<void> {
  const reason = await sending.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (reason !== undefined) throw new Error(`A mail was not taken: ${withoutAddresses(reason)}`);
}

/** Logs in at the mail server and sends nothing. Throws the server's reason; with `requireTls` also when it has no TLS. */
export async function verifyMailServer(
  smtpUrl: string,
  { requireTls, timeoutMs }: { requireTls: boolean; timeoutMs: number },
): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    ...(requireTls && { requireTLS: true }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // After that of the greeting, whose error says more.
    socketTimeout: timeoutMs + 1000,
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
