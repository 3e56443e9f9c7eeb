import { letterTypeOf, maxLetterBytes } from '#shared/domain/tax-claim.ts';
import { base64Of } from '#web/forms/base64.ts';

/** A chosen file as the call takes it, or why it can't be taken. */
export type ChosenLetter = { ok: true; name: string; letter: string } | { ok: false; fault: 'tooLarge' | 'wrongType' };

/** Reads a chosen file, after the checks that the server makes too. */
export async function readLetter(file: File): Promise<ChosenLetter> {
  if (file.size > maxLetterBytes) return { ok: false, fault: 'tooLarge' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (letterTypeOf(bytes) === undefined) return { ok: false, fault: 'wrongType' };
  // The end of a long name tells its type.
  return { ok: true, name: file.name.replaceAll(/[\p{Cc}/\\]/gu, '_').slice(-120), letter: base64Of(bytes) };
}
