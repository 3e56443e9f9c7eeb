import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { MemberCallName } from '#shared/policies/members/rights.ts';
import { requireMember } from '#server/http/acting.ts';
import { backendPath, viewPath } from '#server/http/app.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { hmacHex, sameBytes } from '#server/crypto/same-bytes.ts';
import type { Portal } from '#server/portal.ts';

/** Download links are valid for five minutes. */
const linkLifeMs = 5 * 60_000;

/** A short-lived URL of a file under the backend, for the member who asked: a browser download cannot send the session token. */
export function signedLink(portal: Portal, path: string, { memberId }: { memberId: string | undefined }): string {
  return `${portal.settings.portalUrl}${signedPath(portal, path, linkLifeMs, memberId)}`;
}

/** The same as a path of the portal, for as long as the reader of a mail may take. */
export function signedPath(portal: Portal, path: string, lifeMs: number, member?: string): string {
  const expires = portal.machineClock() + lifeMs;
  const query = new URLSearchParams({
    expires: String(expires),
    ...(member === undefined ? {} : { member }),
    signature: signatureOf(portal, path, expires, member),
  });
  return `${portal.isView ? viewPath : backendPath}${path}?${query.toString()}`;
}

const queryOfLink = z
  .object({ expires: z.coerce.number().int(), signature: z.string().length(64), member: z.string().max(80).optional() })
  .catch({ expires: 0, signature: '' });

/**
 * Refuses an invalid or expired link with 404 (product §8.2), and that of a member who may make the call no more. A valid link acts for its customer, whoever
 * uses it.
 */
export async function requireSigned(
  portal: Portal,
  path: string,
  request: FastifyRequest,
  right: MemberCallName,
): Promise<void> {
  const { expires, signature, member } = queryOfLink.parse(request.query);
  const isValid = sameBytes(signatureOf(portal, path, expires, member), signature);
  if (!isValid || portal.machineClock() >= expires) throw refuse('not_found');
  if (member !== undefined) await requireMember(portal, request, { memberId: member, right });
}

function signatureOf(portal: Portal, path: string, expires: number, member = ''): string {
  return hmacHex(portal.linkSecret, `download ${path} ${expires} ${member}`);
}
