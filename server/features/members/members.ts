import type { Member } from '#shared/contract/members.ts';
import { googleAddress } from '#shared/domain/google-address.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import type { Portal } from '#server/portal.ts';
import { described, type Row } from './invitations.ts';
import * as store from './store.ts';

export { signInPerson } from './first.ts';
export { previewTransfer, transferOwnership } from './provider.ts';

/** The owner sees for so long that an invitation was not accepted. */
const shownMs = 30 * 86_400_000;

type MemberRow = Awaited<ReturnType<typeof store.selectMembers>>[number];

export function shownMember(row: MemberRow, viewer: SignedInMember): Member {
  const { id, name, email, picture, role, joined_at: joinedAt, daily_limit: dailyLimit } = row;
  return {
    id,
    name,
    email,
    picture,
    role,
    joinedAt: joinedAt.toISOString(),
    isSelf: id === viewer.memberId,
    dailyLimit,
  };
}

/** The members and, for the owner, the invitations. */
export async function listMembers({ db, clock }: Portal, owner: SignedInMember) {
  const now = clock();
  const members = await store.selectMembers(db, owner);
  const first = members.find(({ role }) => role === 'owner');
  const own = members.find(({ id }) => id === owner.memberId);
  const open = await store.selectOpen(db, owner);
  const isShown = (row: Row) =>
    (row.ends_at === null || now < row.ends_at.getTime() + shownMs) &&
    (owner.role === 'owner' || (row.role === 'owner' && row.address === googleAddress(own?.email ?? '')));
  const { join_domain: joinDomain } = await db
    .selectFrom('customers')
    .select('join_domain')
    .where('id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
  return {
    members: members.map((member) => shownMember(member, owner)),
    invitations: open.filter(isShown).map((row) => described(row, now)),
    domain: first?.domain ?? null,
    mayAsk: joinDomain !== null,
  };
}
