import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type MemberCallName, memberRights } from '#shared/policies/members/rights.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import type { Portal } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** A member who downloads, with the call whose right it needs. */
interface Acting {
  memberId: string;
  right: MemberCallName;
}

/** How soon a download ends after the membership, and how long a removal waits for that. */
export const watchMs = 1000;

const acting = new WeakMap<FastifyRequest, { portal: Portal; as: Acting }>();

/** Begins a download as a member; refuses with 404 when the member was removed, or has another role. */
export async function requireMember(portal: Portal, request: FastifyRequest, as: Acting): Promise<void> {
  if (!(await mayStill(portal, as))) throw refuse('not_found');
  acting.set(request, { portal, as });
}

/** The same for a download in a session. */
export function noteMember(
  portal: Portal,
  request: FastifyRequest,
  { memberId }: SignedInMember,
  right: MemberCallName,
): void {
  acting.set(request, { portal, as: { memberId, right } });
}

async function mayStill({ db }: Portal, { memberId, right }: Acting): Promise<boolean> {
  const found = await db
    .selectFrom('members')
    .select('id')
    .where('id', '=', memberId)
    .where('removed_at', 'is', null)
    .where('role', 'in', memberRights[right])
    .executeTakeFirst();
  return found !== undefined;
}

/** Ends a download within a second of the membership. */
export function watchMember(request: FastifyRequest, content: Readable): void {
  const found = acting.get(request);
  if (found === undefined || content.destroyed) return;
  const timer = setInterval(() => {
    mayStill(found.portal, found.as).then(
      (may) => may || content.destroy(),
      () => content.destroy(),
    );
  }, watchMs);
  timer.unref();
  content.once('close', () => clearInterval(timer));
}
