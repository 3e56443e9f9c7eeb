import { compileMessage } from '@lingui/message-utils/compileMessage';
import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type SyntaxNode, walkSyntax } from './modules.ts';

/** A file of the pages: its path relative to the project's folder, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

/** The Hindi file of a folder. */
const hindiFile = 'texts.hi.ts';

/** Attributes that people read or hear. */
const spokenAttributes =
  /^(aria-(label|description|valuetext|roledescription|placeholder)|alt|description|failed|label|placeholder|title|word)$/;

/** The same in every language: text to type or to copy. */
const wordlessElements = new Set(['code', 'kbd', 'pre']);

/** The texts of one folder: the messages in its code, and its Hindi translations. */
interface Folder {
  messages: Map<string, string>;
  hindi: Map<string, string> | undefined;
}

/**
 * The errors in the texts of the pages. Each folder's messages, `t('…')`, need a translation with the same values in
 * its `texts.hi.ts`, which must have no others; one English text has one Hindi translation; and all text goes through
 * translation. `known`: messages from elsewhere, by the folder whose Hindi file has them.
 */
export function textFaults(files: readonly SourceFile[], known: Readonly<Record<string, readonly string[]>>): string[] {
  const folders = new Map<string, Folder>();
  const folderOf = (path: string): Folder => {
    const name = posix.dirname(path);
    const folder = folders.get(name) ?? { messages: new Map<string, string>(), hindi: undefined };
    folders.set(name, folder);
    return folder;
  };
  const faults: string[] = [];
  for (const file of files) {
    if (posix.basename(file.path) === hindiFile) folderOf(file.path).hindi = readHindi(file);
    else {
      for (const message of messagesOf(file)) folderOf(file.path).messages.set(message, file.path);
      if (file.path.endsWith('.tsx')) faults.push(...bareTextsOf(file));
    }
  }
  for (const [name, messages] of Object.entries(known)) {
    for (const message of messages) folderOf(`${name}/-`).messages.set(message, 'contract');
  }
  const translations = new Map<string, { text: string; folder: string }>();
  for (const [name, { messages, hindi }] of folders) {
    for (const [message, path] of messages) {
      const text = hindi?.get(message);
      if (text === undefined) faults.push(`${name}/${hindiFile} has no '${message}' (${path}).`);
      else if (valuesOf(text) !== valuesOf(message))
        faults.push(`${name}/${hindiFile}: '${message}' has other values than its Hindi.`);
    }
    for (const [message, text] of hindi ?? []) {
      if (!messages.has(message)) faults.push(`${name}/${hindiFile} has '${message}', which no code uses.`);
      const other = translations.get(message);
      if (other !== undefined && other.text !== text)
        faults.push(
          `'${message}' is '${text}' in ${name} and '${other.text}' in ${other.folder}; one English text has one Hindi translation.`,
        );
      translations.set(message, { text, folder: name });
    }
  }
  return faults;
}

/** The messages of a module of rules for invalid input, from `min(1, '…')`, `error: '…'`, `return '…'`. */
export function ruleMessagesOf({ path, text }: SourceFile): string[] {
  const messages: string[] = [];
  walkSyntax(parseSync(path, text).program, (node) => {
    if (
      node['type'] === 'CallExpression' &&
      /^(max|min|refine|regex)$/.test(nameOf(childrenOf([node['callee']])[0]?.['property']) ?? '')
    ) {
      messages.push(
        ...childrenOf(node['arguments'])
          .slice(1)
          .flatMap((each) => stringOf(each) ?? []),
      );
    }
    if (node['type'] === 'Property' && nameOf(node['key']) === 'error')
      messages.push(...[stringOf(node['value']) ?? []].flat());
    if (node['type'] === 'ReturnStatement') messages.push(...[stringOf(node['argument']) ?? []].flat());
  });
  return messages.filter((message) => message.includes(' '));
}

/** The values of an ICU message, sorted: '{from} to {to}' → "from to". */
function valuesOf(message: string): string {
  const names = new Set<string>();
  const collect = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens) {
      if (!Array.isArray(token)) continue;
      const [name, , cases] = token;
      names.add(String(name));
      if (typeof cases === 'object' && cases !== null) Object.values(cases).forEach(collect);
    }
  };
  collect(compileMessage(message));
  return [...names].toSorted((a, b) => a.localeCompare(b)).join(' ');
}

function messagesOf({ path, text }: SourceFile): string[] {
  const messages: string[] = [];
  walkSyntax(parseSync(path, text).program, (node) => {
    if (node['type'] !== 'CallExpression' || nameOf(node['callee']) !== 't') return;
    const [first] = Array.isArray(node['arguments']) ? node['arguments'] : [];
    const message = stringOf(first);
    if (message !== undefined) messages.push(message);
  });
  return messages;
}

function readHindi({ path, text }: SourceFile): Map<string, string> {
  const entries = new Map<string, string>();
  walkSyntax(parseSync(path, text).program, (node) => {
    if (node['type'] !== 'Property') return;
    const message = stringOf(node['key']) ?? nameOf(node['key']);
    const hindi = stringOf(node['value']);
    if (message !== undefined && hindi !== undefined) entries.set(message, hindi);
  });
  return entries;
}

function bareTextsOf({ path, text }: SourceFile): string[] {
  const faults: string[] = [];
  const fault = (bare: string) => faults.push(`${path} has the text '${bare.trim()}'; move it to texts.ts.`);
  walkSyntax(parseSync(path, text).program, (node) => {
    if (node['type'] === 'JSXElement' && !wordlessElements.has(elementOf(node))) {
      for (const child of childrenOf(node['children'])) {
        const bare = child['type'] === 'JSXText' ? String(child['value']) : '';
        if (/[A-Za-z]{2}/.test(bare)) fault(bare);
      }
    }
    if (node['type'] === 'JSXAttribute' && spokenAttributes.test(nameOf(node['name']) ?? '')) {
      const bare = stringOf(node['value']);
      if (bare !== undefined && /[A-Za-z]{2}/.test(bare)) fault(bare);
    }
  });
  return faults;
}

function elementOf(node: SyntaxNode): string {
  const [opening] = childrenOf([node['openingElement']]);
  return nameOf(opening?.['name']) ?? '';
}

function childrenOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value)
    ? value.filter((each): each is SyntaxNode => typeof each === 'object' && each !== null)
    : [];
}

function nameOf(node: unknown): string | undefined {
  const [one] = childrenOf([node]);
  return typeof one?.['name'] === 'string' ? one['name'] : undefined;
}

function stringOf(node: unknown): string | undefined {
  const [one] = childrenOf([node]);
  return one?.['type'] === 'Literal' && typeof one['value'] === 'string' ? one['value'] : undefined;
}
