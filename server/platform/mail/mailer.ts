import { createTransport } from 'nodemailer';

/** A mail as it is handed over: plain text, the same as HTML, and at most one paper. */
export interface Mail {
  /** Our own id; it becomes the Message-ID, so that a mail that is sent twice can be told from two. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  attachment?: { filename: string; pdf: Buffer };
}

export interface Mailer {
  /** Resolves when the mail server has taken the mail; throws when it has not. */
  send: (mail: Mail) => Promise<void>;
  close: () => void;
}

/**
 * Mail by SMTP. `smtpUrl`: smtp://user:password@host:587 (STARTTLS where offered; with ?requireTLS=true, insisted on), or
 * smtps://…:465. `from`: an address, with or without a name.
 */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(smtpUrl, {
    from,
    // What is sent is only ever what we made: no file and no address is read because a text names it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async (mail) => {
      await transport.sendMail({
        messageId: `<${mail.id}@${host}>`,
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(mail.attachment
          ? {
              attachments: [
                {
                  filename: mail.attachment.filename,
                  content: mail.attachment.pdf,
                  contentType: 'application/pdf',
                },
              ],
            }
          : {}),
      });
    },
    close: () => transport.close(),
  };
}
