import { backendPath } from '#server/http/app.ts';
import { refuse } from '#server/platform/refuse.ts';
import { hmacHex, sameBytes } from '#server/platform/same-bytes.ts';
import type { Portal } from '#server/portal.ts';

/** A download link is good for five minutes. */
const linkLifeMs = 5 * 60_000;

/** A short-lived address of a file under the backend: a download cannot carry the session token. */
export function signedLink(portal: Portal, path: string): string {
  const expires = portal.machineClock() + linkLifeMs;
  const query = new URLSearchParams({ expires: String(expires), signature: signatureOf(portal, path, expires) });
  return `${portal.settings.portalUrl}${backendPath}${path}?${query.toString()}`;
}

/** Refuses a link that is not ours or too old, as if there were nothing (product §8.2). Whoever holds a good one acts for its customer. */
export function requireSigned(portal: Portal, path: string, query: { expires: number; signature: string }): void {
  const good = sameBytes(signatureOf(portal, path, query.expires), query.signature);
  if (!good || portal.machineClock() >= query.expires) throw refuse('not_found');
}

function signatureOf(portal: Portal, path: string, expires: number): string {
  return hmacHex(portal.linkSecret, `download ${path} ${expires}`);
}
