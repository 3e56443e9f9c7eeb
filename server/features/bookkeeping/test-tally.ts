import { DOMParser, type Element } from '@xmldom/xmldom';

/** An element of a Tally file as a test reads it. */
export interface TallyElement {
  name: string;
  attributes: Record<string, string>;
  /** The text of its first child of this name; '' when there is none. */
  text: (name: string) => string;
  all: (name: string) => TallyElement[];
  own: string;
}

function fail(level: string, message: string): never {
  throw new Error(`${level}: ${message}`);
}

/** Reads a file with a parser of its own: every fault in the XML throws. */
export function readTally(file: string): TallyElement {
  const { documentElement } = new DOMParser({ onError: fail }).parseFromString(file, 'text/xml');
  if (!documentElement) throw new Error('an empty file');
  return elementOf(documentElement);
}

function elementOf(element: Element): TallyElement {
  const children = [...element.childNodes].filter((node): node is Element => node.nodeType === 1);
  const all = (name: string) => children.filter(({ nodeName }) => nodeName === name).map(elementOf);
  return {
    name: element.nodeName,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    all,
    text: (name) => all(name)[0]?.own ?? '',
    own: element.textContent ?? '',
  };
}

/** The masters or vouchers of a file. */
export function messagesOf(file: string): TallyElement[] {
  const root = readTally(file);
  const data = ['BODY', 'IMPORTDATA', 'REQUESTDATA'].reduce<TallyElement[]>(
    (elements, name) => elements.flatMap((element) => element.all(name)),
    [root],
  );
  return data
    .flatMap((each) => each.all('TALLYMESSAGE'))
    .flatMap((message) => {
      return ['GROUP', 'LEDGER', 'VOUCHER'].flatMap((name) => message.all(name));
    });
}
