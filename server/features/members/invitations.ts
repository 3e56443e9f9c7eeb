import type { CallResult } from '#shared/contract/call.ts';
import type { readInvitation as readInvitationCall } from '#shared/contract/invitations.ts';
import type { GivenRole, Invitation } from '#shared/contract/members.ts';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { googleAddress } from '#shared/domain/google-address.ts';
import {
  invitationMs,
  maxInvitationsPerDay,
  maxInvitationsToAddress,
  maxInvitationsToMailbox,
  maxMembers,
  maxOpenInvitations,
  silentMs,
} from '#shared/domain/members-of-customer.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import { newId } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { invitationPath, requireSignature } from './link.ts';
import * as store from './store.ts';

const dayMs = 86_400_000;
export type Row = NonNullable<Awaited<ReturnType<typeof store.selectInvitation>>>;

/** What can be done with an invitation that has not ended. */
export function stateOf({ invited_at, starts_at, ends_at }: Row, now: number): Invitation['state'] {
  if (invited_at === null || starts_at === null || ends_at === null) return 'ASKED';
  return sentStateOf({ starts_at, ends_at }, now);
}

function sentStateOf({ starts_at: from, ends_at: until }: { starts_at: Date; ends_at: Date }, now: number) {
  if (now < from.getTime()) return 'LATER';
  return now < until.getTime() ? 'WAITING' : 'EXPIRED';
}

export const described = (row: Row, now: number): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  formerRole: row.former_role,
  state: stateOf(row, now),
  name: row.name,
  startsAt: row.starts_at?.toISOString() ?? null,
  endsAt: row.ends_at?.toISOString() ?? null,
  byProvider: row.invited_at !== null && row.invited_by === null,
});

/** Under the lock of the customer: refuses when too many were sent, or to a stranger who wants none, and ends those that expired; the others that are open. */
async function requireRoomToSend(
  tx: Tx,
  owner: Owner,
  { address, isKnown }: { address: string; isKnown: boolean },
  now: number,
): Promise<Row[]> {
  const open = await store.selectOpen(tx, owner);
  const expired = open.filter((row) => stateOf(row, now) === 'EXPIRED');
  for (const { id } of expired) await store.endInvitation(tx, id, new Date(now), 'REVOKED');
  const { sent, sentHere, received } = await store.countInvitations(tx, owner, address, new Date(now - dayMs));
  if (sent >= maxInvitationsPerDay || sentHere >= maxInvitationsToMailbox) throw refuse('invited_too_often');
  if (!isKnown && received >= maxInvitationsToAddress) throw refuse('invited_too_often');
  if (!isKnown && (await store.isSilent(tx, address, new Date(now - silentMs)))) throw refuse('invitations_unwanted');
  return open.filter((row) => !expired.includes(row));
}

/** The same for one who would be a member more. */
async function requireRoom(
  tx: Tx,
  owner: Owner,
  to: { address: string; isKnown: boolean },
  now: number,
): Promise<void> {
  const members = await store.selectMembers(tx, owner);
  if (members.length >= maxMembers) throw refuse('too_many_members');
  const open = await requireRoomToSend(tx, owner, to, now);
  // Who asks takes no room from whom the owner invites.
  if (open.filter((row) => stateOf(row, now) !== 'ASKED').length >= maxOpenInvitations)
    throw refuse('invited_too_often');
}

const during = (now: number) => ({
  invited_at: new Date(now),
  starts_at: new Date(now),
  ends_at: new Date(now + invitationMs),
});

/** Tells the address, in the transaction of the invitation. */
async function tell(portal: Portal, owner: Owner, tx: Tx, id: string): Promise<Invitation> {
  const row = await store.selectInvitation(tx, id);
  if (row?.ends_at == null) throw new Error(`invitation ${id} was not sent`);
  const { email, role, ends_at: endsAt } = row;
  const path = invitationPath(portal, id);
  await happened(portal, owner, tx, { type: 'member.invited', invitationId: id, email, role, path, endsAt });
  return described(row, portal.clock());
}

export function inviteMember(
  portal: Portal,
  owner: SignedInMember,
  { email, role }: { email: string; role: GivenRole },
): Promise<Invitation> {
  const address = googleAddress(email);
  return transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const now = portal.clock();
    const members = await store.selectMembers(tx, owner);
    if (members.some((member) => googleAddress(member.email) === address)) throw refuse('member_already');
    const before = await store.selectOpen(tx, owner);
    const hasAsked = before.some((row) => row.address === address && row.invited_at === null);
    await requireRoom(tx, owner, { address, isKnown: hasAsked }, now);
    const open = await store.selectOpen(tx, owner);
    const asked = open.find((row) => row.address === address && row.role !== 'owner');
    if (asked && asked.invited_at !== null) throw refuse('invited_already');
    const id = asked?.id ?? newId('INV');
    const invited = { role, ...during(now), invited_by: owner.memberId };
    if (asked) await tx.updateTable('member_invitations').set(invited).where('id', '=', id).execute();
    else
      await tx
        .insertInto('member_invitations')
        .values({ id, customer_id: owner.customerId, email, address, ...invited })
        .execute();
    return tell(portal, owner, tx, id);
  });
}

/** Invites a colleague who asked. */
export function approveMember(
  portal: Portal,
  owner: SignedInMember,
  invitationId: string,
  role: GivenRole,
): Promise<Invitation> {
  return transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const row = await store.lockInvitation(tx, invitationId);
    if (row?.customer_id !== owner.customerId || row.ended_at !== null || row.invited_at !== null)
      throw refuse('not_found');
    const now = portal.clock();
    await requireRoom(tx, owner, { address: row.address, isKnown: true }, now);
    await tx
      .updateTable('member_invitations')
      .set({ role, ...during(now), invited_by: owner.memberId })
      .where('id', '=', row.id)
      .execute();
    return tell(portal, owner, tx, row.id);
  });
}

/** Ends what has not ended, whatever it is. */
export async function revokeInvitation(portal: Portal, owner: SignedInMember, invitationId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const row = await store.lockInvitation(tx, invitationId);
    if (row?.customer_id !== owner.customerId || row.ended_at !== null) throw refuse('not_found');
    await store.endInvitation(tx, row.id, new Date(portal.clock()), 'REVOKED');
  });
}

/** What the link of a mail says. */
export async function readInvitation(
  portal: Portal,
  invitationId: string,
  signature: string,
): Promise<CallResult<typeof readInvitationCall>> {
  requireSignature(portal, invitationId, signature);
  const row = await store.selectInvitation(portal.db, invitationId);
  if (!row || row.starts_at === null || row.ends_at === null) throw refuse('not_found');
  const { starts_at, ends_at } = row;
  return {
    customerName: await store.selectNameOf(portal.db, { customerId: row.customer_id }),
    email: row.email,
    role: row.role,
    state: row.ended_at === null ? sentStateOf({ starts_at, ends_at }, portal.clock()) : 'ENDED',
    startsAt: starts_at.toISOString(),
    endsAt: ends_at.toISOString(),
  };
}

/** Declines by the link of a mail; of a transfer by the provider the owner has one too. */
export async function declineInvitation(
  portal: Portal,
  invitationId: string,
  { signature, noMore }: { signature: string; noMore: boolean },
): Promise<void> {
  requireSignature(portal, invitationId, signature);
  await transaction(portal.db, async (tx) => {
    const row = await store.lockInvitation(tx, invitationId);
    if (!row) throw refuse('not_found');
    if (row.ended_at !== null) throw refuse('link_expired');
    // Objecting to a transfer is no wish about mails.
    const outcome = noMore && row.role !== 'owner' ? 'SILENCED' : 'DECLINED';
    await store.endInvitation(tx, row.id, new Date(portal.clock()), outcome);
  });
}

/** Offers the ownership to a member. */
export function offerOwnership(
  portal: Portal,
  owner: SignedInMember,
  memberId: string,
  formerRole: GivenRole,
): Promise<Invitation> {
  return transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const to = await store.lockMember(tx, owner, memberId);
    if (!to) throw refuse('not_found');
    if (to.role === 'owner') throw refuse('owner_stays');
    const now = portal.clock();
    const address = googleAddress(to.email);
    const open = await store.selectOpen(tx, owner);
    if (open.some((row) => row.role === 'owner' && stateOf(row, now) !== 'EXPIRED')) throw refuse('invited_already');
    await requireRoomToSend(tx, owner, { address, isKnown: true }, now);
    const id = newId('INV');
    await tx
      .insertInto('member_invitations')
      .values({
        id,
        customer_id: owner.customerId,
        email: to.email,
        address,
        role: 'owner',
        former_role: formerRole,
        ...during(now),
        invited_by: owner.memberId,
      })
      .execute();
    return tell(portal, owner, tx, id);
  });
}

/** Lets people of the owner's Workspace ask, or stops that. */
export async function allowColleagues(portal: Portal, owner: SignedInMember, mayAsk: boolean): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const [first] = await store.selectMembers(tx, owner);
    const domain = first?.domain ?? null;
    if (mayAsk && domain === null) throw refuse('no_workspace');
    await store.setJoinDomain(tx, owner, mayAsk ? domain : null);
  });
}
