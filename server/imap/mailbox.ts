import { ImapFlow } from 'imapflow';
import { parseMail } from './parse-mail.ts';
import { type IncomingMail, maxMailBytes, readMail } from './read-mail.ts';

/** Of the addresses of a mail. */
const maxHeadBytes = 1_000_000;

/** A mail of this size takes a few milliseconds of the portal's own time, whatever it is; a larger one is read in another process. */
const smallBytes = 16_384;

/** What reading one mail may take; a person's takes a hundredth. */
const maxParseMs = 20_000;

/** Of the expected mails; more wait for the next round. Others don't count, or strangers could keep customers' mails waiting. */
const maxMailsPerRound = 50;

/** Of so many mails the addresses are read with one command. */
const mailsPerLook = 50;

/** `taken` removes a mail from the mailbox; `refused` leaves it there, flagged, for people to look at; `later` leaves it as it is. */
export type MailOutcome = 'taken' | 'refused' | 'later';

interface Reader {
  /** Is a mail with these headers `To` and `Cc` expected? Of others nothing more is read. */
  expects: (headers: string) => Promise<boolean>;
  take: (mail: IncomingMail) => Promise<MailOutcome>;
  onUnreadable: (error: unknown) => void;
  parseMs?: number;
}

/**
 * Reads the unseen mails of a mailbox that are addressed to a subaddress of `base`, and leaves all others as they are. One whose parts
 * can't be told apart is refused: read again and again, a few of them would keep all others waiting.
 * @param url imaps://user:password@host:993/folder, or imap:// with STARTTLS where the server offers it
 */
export async function readMailbox(
  url: string,
  base: string,
  { expects, take, onUnreadable, parseMs = maxParseMs }: Reader,
  stopping?: AbortSignal,
): Promise<void> {
  const takeOne = async (client: ImapFlow, uid: number): Promise<MailOutcome | undefined> => {
    const fetched = await client.fetchOne(
      String(uid),
      { source: { start: 0, maxLength: maxMailBytes } },
      { uid: true },
    );
    if (fetched === false || fetched.source === undefined) return undefined;
    const { source } = fetched;
    const reading = source.length > smallBytes ? parseMail(source, parseMs) : readMail(source);
    const mail = await reading.catch(onUnreadable);
    return mail === undefined ? 'refused' : take(mail);
  };
  await inMailbox(url, { connectionMs: 15_000, responseMs: 60_000 }, async (client) => {
    const beginning = `${base.slice(0, base.lastIndexOf('@'))}+`;
    const found = await client.search({ seen: false, or: [{ to: beginning }, { cc: beginning }] }, { uid: true });
    const unseen = found === false || found === undefined ? [] : found;
    const refuse = (uids: string) => client.messageFlagsAdd(uids, ['\\Seen', '\\Flagged'], { uid: true });
    let failure: unknown;
    let left = maxMailsPerRound;
    for (let first = 0; first < unseen.length && left > 0; first += mailsPerLook) {
      if (stopping?.aborted) return;
      const expected: number[] = [];
      const others: number[] = [];
      const heads = client.fetch(
        unseen.slice(first, first + mailsPerLook).join(','),
        { headers: ['to', 'cc'] },
        { uid: true },
      );
      for await (const { uid, headers } of heads) {
        if (headers === undefined) continue;
        try {
          const isExpected = await expects(headers.toString('latin1', 0, maxHeadBytes));
          (isExpected ? expected : others).push(uid);
        } catch (error) {
          failure ??= error;
        }
      }
      if (others.length > 0) await refuse(others.join(','));
      for (const uid of expected.slice(0, left)) {
        if (stopping?.aborted) return;
        left -= 1;
        try {
          const outcome = await takeOne(client, uid);
          if (outcome === 'taken') await client.messageDelete(String(uid), { uid: true });
          else if (outcome === 'refused') await refuse(String(uid));
        } catch (error) {
          // It is read again in the next round; the others need not wait for it.
          failure ??= error;
        }
      }
    }
    if (failure !== undefined) throw failure;
  });
}

/**
 * Signs in and opens the folder; throws why that can't be done.
 * @param url as for `readMailbox`
 * @param timeoutMs for all of it, also when a response comes line by line without end
 */
export function verifyMailbox(url: string, timeoutMs: number): Promise<void> {
  return inMailbox(url, { connectionMs: timeoutMs, responseMs: timeoutMs, allMs: timeoutMs }, async () => {});
}

interface Timeouts {
  connectionMs: number;
  /** For each response of the server, and each part of one. */
  responseMs: number;
  /** For everything together. */
  allMs?: number;
}

async function inMailbox(
  url: string,
  { connectionMs, responseMs, allMs }: Timeouts,
  work: (client: ImapFlow) => Promise<void>,
): Promise<void> {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(url);
  const isSecure = protocol === 'imaps:';
  const client = new ImapFlow({
    host: hostname,
    port: port === '' ? (isSecure ? 993 : 143) : Number(port),
    secure: isSecure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: connectionMs,
    greetingTimeout: Math.min(connectionMs, 10_000),
    socketTimeout: responseMs,
    ...(searchParams.get('requireTLS') === 'true' && { doSTARTTLS: true }),
  });
  // A connection that breaks off fails the command that waits; without a listener it would end the process.
  client.on('error', () => undefined);
  let isLate = false;
  const deadline =
    allMs === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true;
          client.close();
        }, allMs);
  try {
    await client.connect();
    await client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || 'INBOX');
    await work(client);
  } catch (error) {
    throw isLate ? new Error(noResponse(responseMs), { cause: error }) : withReason(error, responseMs);
  } finally {
    await client.logout().catch(() => client.close());
    clearTimeout(deadline);
  }
}

const noResponse = (timeoutMs: number): string => `no whole response within ${timeoutMs / 1000} s`;

/** The error with the server's own words as its message, which would only be "Command failed". */
function withReason(error: unknown, responseMs: number): unknown {
  if (!(error instanceof Error)) return error;
  if ('responseText' in error && typeof error.responseText === 'string')
    error.message = error.responseText.replace(/\.$/, '');
  else if ('code' in error && error.code === 'ETIMEOUT') error.message = noResponse(responseMs);
  return error;
}
