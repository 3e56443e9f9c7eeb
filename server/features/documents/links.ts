import { backendPath, viewPath } from '#server/http/app.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import type { Portal } from '#server/portal.ts';

/** Download links are valid for five minutes. */
const linkLifeMs = 5 * 60_000;

/** A short-lived URL of a file under the backend: a browser download cannot send the session token. */
export function signedLink(portal: Portal, path: string): string {
  return `${portal.settings.portalUrl}${signedPath(portal, path, linkLifeMs)}`;
}

/** The same as a path of the portal, for as long as the reader of a mail may take. */
export function signedPath(portal: Portal, path: string, lifeMs: number): string {
  const expires = portal.machineClock() + lifeMs;
  const query = new URLSearchParams({ expires: String(expires), signature: signatureOf(portal, path, expires) });
  return `${portal.isView ? viewPath : backendPath}${path}?${query.toString()}`;
}

/** Refuses an invalid or expired link with 404 (product §8.2). A valid link acts for its customer, whoever uses it. */
export function requireSigned(portal: Portal, path: string, query: { expires: number; signature: string }): void {
  const isValid = sameBytes(signatureOf(portal, path, query.expires), query.signature);
  if (!isValid || portal.machineClock() >= query.expires) throw refuse('not_found');
}

function signatureOf(portal: Portal, path: string, expires: number): string {
  return hmacHex(portal.linkSecret, `download ${path} ${expires}`);
}
