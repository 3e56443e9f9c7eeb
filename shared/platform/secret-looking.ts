import { hideSecrets } from './log.ts';

/** What separates words in a value; secrets as they are issued have none of these. */
const separators = /[\s/.:@,;'"`()<>[\]]+/;
const shortestSecret = 12;
/** A public key of age, a GSTIN. */
const publicWord = /^age1|^\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/;

/** Letters and digits, or capital and small letters, mixed in one long word, as keys and passwords are and names are not. */
function isRandomWord(word: string): boolean {
  if (word.length < shortestSecret || publicWord.test(word)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(word)).length;
  return kinds >= 2;
}

/** Could this text be or hold a secret, put into a setting where none belongs? Paths and addresses are judged by their form alone. */
export function looksSecret(value: string): boolean {
  if (hideSecrets(value) !== value) return true;
  if (/^(?:~?\/|\.{1,2}\/|file:)/.test(value)) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return /[?#]./.test(value);
  return value.split(separators).some(isRandomWord);
}
