import { safeFileName } from './file-name.ts';
import { letterTypeOf, letterTypes } from './tax-claim.ts';

/** Of files in threads with support. CSV is text. */
export const supportFileTypes = [...letterTypes, 'text/plain'] as const;
type SupportFileType = (typeof supportFileTypes)[number];

/** The limits of a message. The database has them too. */
export const maxFilesOfMessage = 5;
export const maxBytesOfMessage = 4_000_000;
/** The limit of all files that a customer sends. */
export const maxBytesOfCustomer = 50_000_000;

/** The extensions of each type; a name without one of them gets the first. */
const extensions: Readonly<Record<SupportFileType, readonly string[]>> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'text/plain': ['txt', 'csv'],
};

/** What a browser offers to choose from. */
export const chosenFileTypes = [
  ...letterTypes,
  ...Object.values(extensions)
    .flat()
    .map((end) => `.${end}`),
].join(',');

/** The type of a file by its content: its name, and what a browser or a mail says of it, can be wrong. Undefined for any other. */
export function supportFileTypeOf(file: Uint8Array): SupportFileType | undefined {
  return letterTypeOf(file) ?? (isText(file) ? 'text/plain' : undefined);
}

function isText(file: Uint8Array): boolean {
  try {
    return /^[^\p{Cc}]+$/u.test(new TextDecoder('utf-8', { fatal: true }).decode(file).replaceAll(/[\t\n\f\r]/g, ' '));
  } catch {
    return false;
  }
}

/** A safe name that says what the file is, so that no text is opened as a page or a program. */
export function supportFileName(name: string, type: SupportFileType): string {
  const safe = safeFileName(name);
  const ends = extensions[type];
  const isSaid = ends.some((end) => safe.toLowerCase().endsWith(`.${end}`));
  return isSaid ? safe : `${safe}.${ends[0] ?? ''}`;
}

/** Can these be the files of one message? */
export const areSendable = (files: readonly Uint8Array[]): boolean =>
  files.length <= maxFilesOfMessage &&
  files.reduce((sum, { length }) => sum + length, 0) <= maxBytesOfMessage &&
  files.every((file) => supportFileTypeOf(file) !== undefined);

/** Tells the team that not all files of a mail were taken. */
export const filesNotTaken = (leftOut: number): string =>
  `${leftOut === 1 ? '1 file of this mail was' : `${leftOut} files of this mail were`} not taken.`;
