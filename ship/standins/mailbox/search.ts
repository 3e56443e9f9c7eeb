interface Searched {
  raw: Buffer;
  flags: ReadonlySet<string>;
}

/** Does a mail match the keys of SEARCH (RFC 3501 section 6.4.4)? Known are flags, address headers, NOT and OR. */
export function matches(mail: Searched, keys: string[]): boolean {
  let result = true;
  while (keys.length > 0) result = takeKey(mail, keys) && result;
  return result;
}

function takeKey(mail: Searched, keys: string[]): boolean {
  const key = (keys.shift() ?? '').replaceAll(/^\(+|\)+$/g, '').toUpperCase();
  switch (key) {
    case '':
    case 'ALL':
      return true;
    case 'SEEN':
      return mail.flags.has('\\Seen');
    case 'UNSEEN':
      return !mail.flags.has('\\Seen');
    case 'NOT':
      return !takeKey(mail, keys);
    case 'OR': {
      const first = takeKey(mail, keys);
      const second = takeKey(mail, keys);
      return first || second;
    }
    case 'TO':
    case 'CC':
    case 'FROM':
      return hasInHeader(mail, key, keys.shift() ?? '');
    default:
      throw new Error(`this mailbox does not know the search key ${key}`);
  }
}

function hasInHeader({ raw }: Searched, name: string, part: string): boolean {
  const text = raw.toString('latin1');
  const head = text.slice(0, text.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]/g, ' ');
  const wanted = part.replaceAll(/^\(+|\)+$/g, '').toLowerCase();
  return head
    .split('\r\n')
    .some((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`) && line.toLowerCase().includes(wanted));
}
