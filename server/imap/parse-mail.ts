import { askProcess } from '#shared/platform/ask-process.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { type IncomingMail, incomingMail } from './read-mail.ts';

/** A person's mail takes a few megabytes. */
const maxMemoryMb = 256;

/** Reads the source of a mail in a process of its own. Rejects when it takes longer than `timeoutMs`. */
export const parseMail = (source: Buffer, timeoutMs: number): Promise<IncomingMail> =>
  askProcess({ program: builtProgram('mail-worker'), answer: incomingMail, timeoutMs, maxMemoryMb }, source);
