import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';

type Secret = Pick<Portal, 'linkSecret'>;

/** What proves an invitation: who has it reads the mailbox of the address, or was vouched for by Google. */
export const signatureOf = ({ linkSecret }: Secret, invitationId: string): string =>
  hmacHex(linkSecret, `invitation ${invitationId}`);

/** Throws not_found for a forged link. */
export function requireSignature(portal: Secret, invitationId: string, signature: string): void {
  if (!sameBytes(signatureOf(portal, invitationId), signature)) throw refuse('not_found');
}

/** The path of the page for the answer. */
export const invitationPath = (portal: Secret, invitationId: string): string =>
  `/invitation/${invitationId}?signature=${signatureOf(portal, invitationId)}`;
