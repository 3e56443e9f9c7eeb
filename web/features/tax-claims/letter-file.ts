import { letterTypeOf, maxLetterBytes } from '#shared/domain/tax-claim.ts';

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

/** The file of a letter that the server returned. */
export function letterBlob(letter: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(letter), (character) => character.charCodeAt(0))], { type });
}

function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  // In parts: the arguments of a call are limited.
  for (let at = 0; at < bytes.length; at += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return btoa(parts.join(''));
}
