import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A mail as received over SMTP. */
export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  attachmentName?: string;
  /** The names of all files. */
  attachmentNames: string[];
  attachment?: Buffer;
  messageId: string;
  /** The address in List-Unsubscribe; empty without one. */
  stopUrl: string;
}

/** A mail server for tests: speaks SMTP on loopback, and can refuse all mails for a while. */
export async function startMailServer() {
  const mails: ReceivedMail[] = [];
  const refusals: string[] = [];
  let refusing = false;
  const server = createServer((socket) => {
    serve(socket, {
      isRefusing: () => refusing,
      refused: (to) => refusals.push(to),
      took: (to, raw) => mails.push(read(to, raw)),
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const until = async <T>(find: () => T | undefined, what: string): Promise<T> => {
    for (let waited = 0; waited < 60_000; waited += 50) {
      const found = find();
      if (found !== undefined) return found;
      await sleep(50);
    }
    throw new Error(`${what}; there were: ${mails.map((mail) => `${mail.to} ${mail.subject}`).join(' | ')}`);
  };
  return {
    port: address.port,
    refuse: (yes: boolean) => {
      refusing = yes;
    },
    received: (to: string) => mails.filter((mail) => mail.to === to),
    /** Waits for a mail to this recipient whose subject matches. */
    next: (to: string, subject: RegExp) =>
      until(() => mails.find((mail) => mail.to === to && subject.test(mail.subject)), `no mail ${subject} to ${to}`),
    /** Waits until a mail to this recipient was refused. */
    refused: (to: string) => until(() => refusals.find((each) => each === to), `nothing was refused to ${to}`),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

interface Handlers {
  isRefusing: () => boolean;
  refused: (to: string) => void;
  took: (to: string, raw: string) => void;
}

function serve(socket: Socket, { isRefusing, refused, took }: Handlers): void {
  let buffer = '';
  let to = '';
  let inData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const hear = (line: string): void => {
    if (/^EHLO|^HELO/i.test(line)) say('250 test');
    else if (/^MAIL FROM/i.test(line)) say('250 ok');
    else if (/^RCPT TO/i.test(line)) {
      to = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (isRefusing()) refused(to);
      say(isRefusing() ? `451 <${to}> try again later` : '250 ok');
    } else if (/^DATA/i.test(line)) {
      inData = true;
      say('354 go on');
    } else if (/^QUIT/i.test(line)) {
      say('221 bye');
      socket.end();
    } else say('250 ok');
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1');
    for (;;) {
      const end = inData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
      if (end < 0) return;
      const part = buffer.slice(0, end);
      buffer = buffer.slice(end + (inData ? 5 : 2));
      if (inData) {
        inData = false;
        took(to, part);
        say('250 taken');
      } else hear(part);
    }
  });
  say('220 test');
}

/** Parses what nodemailer writes: headers, a text part, an HTML part, files; the first one with its content. */
function read(to: string, raw: string): ReceivedMail {
  const header = (name: string, of = raw) =>
    new RegExp(`^${name}:((?:.|\\r\\n[ \\t])*)`, 'im')
      .exec(of)?.[1]
      ?.replaceAll(/\r\n[ \t]/g, ' ')
      .trim() ?? '';
  const parts = raw.split(/\r\n--[^\r\n]+/);
  const partOf = (type: string) => parts.find((part) => header('Content-Type', part).startsWith(type));
  const body = (part: string) => {
    const content = part.slice(part.indexOf('\r\n\r\n') + 4);
    const encoding = header('Content-Transfer-Encoding', part);
    if (encoding === 'base64') return Buffer.from(content, 'base64');
    if (encoding === 'quoted-printable') {
      const bytes = content
        .replaceAll('=\r\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, 'latin1');
    }
    return Buffer.from(content, 'latin1');
  };
  const text = partOf('text/plain');
  const file = partOf('application/pdf') ?? partOf('application/zip');
  const name = file && /filename="?([^"\r\n;]+)/.exec(file)?.[1];
  return {
    to,
    subject: decodeWords(header('Subject')),
    text: text === undefined ? '' : body(text).toString('utf8').replaceAll('\r\n', '\n'),
    messageId: header('Message-ID'),
    stopUrl: /<([^>]+)>/.exec(header('List-Unsubscribe'))?.[1] ?? '',
    ...(name ? { attachmentName: name } : {}),
    attachmentNames: parts.flatMap((part) => /filename="?([^"\r\n;]+)/.exec(part)?.[1] ?? []),
    ...(file === undefined ? {} : { attachment: body(file) }),
  };
}

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=` (RFC 2047). */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) => {
      if (kind.toUpperCase() === 'B') return Buffer.from(word, 'base64').toString('utf8');
      const bytes = word
        .replaceAll('_', ' ')
        .replaceAll(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, 'latin1').toString('utf8');
    });
}
