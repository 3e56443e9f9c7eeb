import { type AddressObject, simpleParser } from 'mailparser';
import { z } from 'zod';
import { maxMailMessage } from '#shared/domain/mail-reply.ts';
import { maxBytesOfMessage, maxFilesOfMessage } from '#shared/domain/support-file.ts';

/** A mail as it arrived. */
export const incomingMail = z.object({
  /** Empty when it has none. */
  messageId: z.string(),
  /** Addresses, without names; none if it has several headers `From`. */
  from: z.array(z.string()),
  /** In To and Cc. */
  to: z.array(z.string()),
  /** By their lower-case names. */
  headers: z.map(z.string(), z.string()),
  /** Its text; of a mail with HTML alone, the text in it. */
  text: z.string(),
  /** Its first files that are not too large for a message, as far as they are whole; what was attached before pictures within the text. */
  files: z.array(z.object({ name: z.string(), content: z.instanceof<typeof Uint8Array<ArrayBufferLike>>(Uint8Array) })),
  /** How many others there were, as far as the mail was read. */
  leftOut: z.number(),
});
export type IncomingMail = z.output<typeof incomingMail>;

/** Ten times what is taken as a message, for what it quotes. */
const maxTextChars = 10 * maxMailMessage;

/** Longer HTML is not read. */
const maxHtmlChars = 2_000_000;

/** A mail is read as far as this: text, quotes, and files of the largest message in base64, in lines. */
export const maxMailBytes = 6_500_000;

/** Reads the source of a mail, as far as it is there. Takes seconds for a megabyte of hostile HTML: see parse-mail.ts. */
export async function readMail(source: Buffer): Promise<IncomingMail> {
  const mail = await simpleParser(source, {
    skipTextToHtml: true,
    skipImageLinks: true,
    maxHtmlLengthToParse: Math.min(source.length, maxHtmlChars),
  });
  // The last file of a mail that goes on may be half of one.
  const whole = source.length < maxMailBytes ? mail.attachments : mail.attachments.slice(0, -1);
  // Pictures within the text, as of a signature, after what was attached.
  const attached = whole.toSorted((one, other) => Number(one.related ?? false) - Number(other.related ?? false));
  const files = attached.slice(0, maxFilesOfMessage).filter(({ content }) => content.length <= maxBytesOfMessage);
  return {
    messageId: mail.messageId ?? '',
    // Which of several a mail server checked, and a program shows, is chance (RFC 7489 §6.6.1).
    from: mail.headerLines.filter(({ key }) => key === 'from').length === 1 ? addressesOf(mail.from) : [],
    to: [...addressesOf(mail.to), ...addressesOf(mail.cc)],
    headers: new Map(mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(':') + 1).trim()])),
    text: (mail.text ?? '').slice(0, maxTextChars),
    files: files.map(({ filename = 'file', content }) => ({ name: filename.slice(0, 300), content })),
    leftOut: mail.attachments.length - files.length,
  };
}

function addressesOf(field: AddressObject | AddressObject[] | undefined): string[] {
  const fields = field === undefined ? [] : Array.isArray(field) ? field : [field];
  return fields.flatMap(({ value }) =>
    value.flatMap(({ address, group }) =>
      group === undefined ? [address ?? ''] : group.map((member) => member.address ?? ''),
    ),
  );
}
