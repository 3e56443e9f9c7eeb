import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { matches } from './search.ts';

/** A mail in the mailbox. */
export interface StoredMail {
  uid: number;
  raw: Buffer;
  flags: Set<string>;
}

/** A mailbox for tests and trials: speaks IMAP4rev1 (RFC 3501) on loopback, as far as a client needs that reads one folder. */
export async function startMailbox({ user, password, port = 0 }: { user: string; password: string; port?: number }) {
  const mails: StoredMail[] = [];
  const behaviour = { hangs: false };
  let nextUid = 1;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, { user, password }, mails, behaviour);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `imap://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${address.port}/INBOX`,
    /** Puts a mail into the mailbox, as a mail server does. */
    deliver: (raw: string | Buffer) => void mails.push({ uid: nextUid++, raw: Buffer.from(raw), flags: new Set() }),
    empty: () => void mails.splice(0),
    /** From now on it lets clients in, and then says nothing more. */
    hangAfterLogin: () => void (behaviour.hangs = true),
    /** What is in it. */
    mails: (): readonly StoredMail[] => mails,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One connection. */
function serve(
  socket: Socket,
  account: { user: string; password: string },
  mails: StoredMail[],
  behaviour: Readonly<{ hangs: boolean }>,
): void {
  let buffer = Buffer.alloc(0);
  let isSignedIn = false;
  let isSelected = false;
  const say = (...parts: (string | Buffer)[]) => {
    for (const part of parts) socket.write(part);
    socket.write('\r\n');
  };

  const commands: Record<string, (tag: string, rest: string) => void> = {
    CAPABILITY: (tag) => {
      say('* CAPABILITY IMAP4rev1 UIDPLUS');
      say(`${tag} OK done`);
    },
    LOGIN: (tag, rest) => {
      const [user, password] = wordsOf(rest);
      isSignedIn = user === account.user && password === account.password;
      say(isSignedIn ? `${tag} OK signed in` : `${tag} NO [AUTHENTICATIONFAILED] Invalid user or password`);
    },
    LIST: (tag, rest) => {
      const pattern = wordsOf(rest)[1] ?? '';
      // An empty pattern asks for the delimiter of the names (RFC 3501 section 6.3.8).
      if (pattern === '') say('* LIST (\\Noselect) "/" ""');
      else if (/^(?:inbox|.*[*%].*)$/i.test(pattern)) say('* LIST (\\HasNoChildren) "/" INBOX');
      say(`${tag} OK done`);
    },
    SELECT: (tag, rest) => {
      const [folder = ''] = wordsOf(rest);
      // Its name is the only one that doesn't depend on case (RFC 3501 section 5.1).
      isSelected = folder.toUpperCase() === 'INBOX';
      if (!isSelected) return say(`${tag} NO [NONEXISTENT] Mailbox doesn't exist: ${folder}`);
      say('* FLAGS (\\Seen \\Flagged \\Deleted)');
      say('* OK [PERMANENTFLAGS (\\Seen \\Flagged \\Deleted)] kept');
      say(`* ${mails.length} EXISTS`);
      say('* OK [UIDVALIDITY 1] same');
      say(`* OK [UIDNEXT ${(mails.at(-1)?.uid ?? 0) + 1}] next`);
      say(`${tag} OK [READ-WRITE] selected`);
    },
    SEARCH: (tag, rest) => {
      say(
        `* SEARCH ${mails
          .filter((mail) => matches(mail, wordsOf(rest)))
          .map(({ uid }) => uid)
          .join(' ')}`.trimEnd(),
      );
      say(`${tag} OK done`);
    },
    FETCH: (tag, rest) => {
      const [set = '', ...items] = rest.split(' ');
      const wanted = items.join(' ');
      for (const [index, mail] of mails.entries()) if (isIn(set, mail.uid)) say(...fetched(index + 1, mail, wanted));
      say(`${tag} OK done`);
    },
    STORE: (tag, rest) => {
      const [set = '', action = ''] = rest.split(' ');
      const flags = /\(([^)]*)\)/.exec(rest)?.[1]?.split(' ') ?? [];
      for (const mail of mails.filter(({ uid }) => isIn(set, uid)))
        for (const flag of flags) mail.flags[action.startsWith('-') ? 'delete' : 'add'](flag);
      say(`${tag} OK done`);
    },
    EXPUNGE: (tag, rest) => {
      for (let index = mails.length - 1; index >= 0; index -= 1) {
        const mail = mails[index];
        if (!mail?.flags.has('\\Deleted') || (rest !== '' && !isIn(rest, mail.uid))) continue;
        mails.splice(index, 1);
        say(`* ${index + 1} EXPUNGE`);
      }
      say(`${tag} OK done`);
    },
    NOOP: (tag) => say(`${tag} OK done`),
    LOGOUT: (tag) => {
      say('* BYE');
      say(`${tag} OK done`);
      socket.end();
    },
  };
  const beforeSignIn = new Set(['CAPABILITY', 'LOGIN', 'NOOP', 'LOGOUT']);
  const ofFolder = new Set(['SEARCH', 'FETCH', 'STORE', 'EXPUNGE']);

  const hear = (line: string): void => {
    const [, tag = '*', name = '', rest = ''] = /^(\S+) (?:UID )?(\S+) ?(.*)$/i.exec(line) ?? [];
    const command = name.toUpperCase();
    const run = commands[command];
    if (isSignedIn && behaviour.hangs) return;
    if (run === undefined) say(`${tag} BAD unknown command`);
    else if (!isSignedIn && !beforeSignIn.has(command)) say(`${tag} NO sign in first`);
    else if (!isSelected && ofFolder.has(command)) say(`${tag} BAD select first`);
    else run(tag, rest);
  };

  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
      const line = buffer.toString('utf8', 0, end);
      buffer = buffer.subarray(end + 2);
      hear(line);
    }
  });
  say('* OK [CAPABILITY IMAP4rev1 UIDPLUS] ready');
}

/** The response to FETCH. */
function fetched(sequence: number, { uid, raw, flags }: StoredMail, wanted: string): (string | Buffer)[] {
  const parts: (string | Buffer)[] = [`* ${sequence} FETCH (UID ${uid}`];
  if (/FLAGS/i.test(wanted)) parts.push(` FLAGS (${[...flags].join(' ')})`);
  if (/RFC822\.SIZE/i.test(wanted)) parts.push(` RFC822.SIZE ${raw.length}`);
  const headers = /BODY\.PEEK\[(HEADER\.FIELDS \(([^)]*)\))\]/i.exec(wanted);
  if (headers) {
    const names = (headers[2] ?? '').toLowerCase().split(' ');
    const head = raw.toString('latin1').split(/\r?\n\r?\n/, 1)[0] ?? '';
    const lines = head
      .split(/\r?\n(?![ \t])/)
      .filter((line) => names.includes(line.split(':', 1)[0]?.toLowerCase() ?? ''));
    const part = Buffer.from([...lines, '', ''].join('\r\n'), 'latin1');
    parts.push(` BODY[${headers[1]}] {${part.length}}\r\n`, part);
  }
  const body = /BODY\.PEEK\[\](?:<(\d+)\.(\d+)>)?/i.exec(wanted);
  if (body) {
    const start = Number(body[1] ?? 0);
    const part = raw.subarray(start, body[2] === undefined ? undefined : start + Number(body[2]));
    parts.push(` BODY[]${body[1] === undefined ? '' : `<${start}>`} {${part.length}}\r\n`, part);
  }
  return [...parts, ')'];
}

/** Words and quoted strings. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, word]) =>
    quoted === undefined ? (word ?? '') : quoted.replaceAll(/\\(.)/g, '$1'),
  );
}

/** Is the uid in a set such as `1,3:5,9:*`? */
function isIn(set: string, uid: number): boolean {
  return set.split(',').some((range) => {
    const [first = '', last = first] = range.split(':');
    return uid >= Number(first) && (last === '*' || uid <= Number(last));
  });
}
