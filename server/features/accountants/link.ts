import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';

/**
 * The address of the page on which an accountant confirms, declines or stops the mails. It does not expire, so that the link of every
 * mail stops them; confirming has a time limit of its own.
 */
export function accountantPath(linkSecret: Buffer, accountantId: string): string {
  return `/accountant/${accountantId}?signature=${signatureOf(linkSecret, accountantId)}`;
}

/** Refuses an invalid link with 404 (product §8.2). */
export function requireLink({ linkSecret }: Portal, accountantId: string, signature: string): void {
  if (!sameBytes(signatureOf(linkSecret, accountantId), signature)) throw refuse('not_found');
}

function signatureOf(linkSecret: Buffer, accountantId: string): string {
  return hmacHex(linkSecret, `accountant ${accountantId}`);
}
