import { setTimeout as sleep } from 'node:timers/promises';
import type { GivenRole, Member } from '#shared/contract/members.ts';
import { changeAccess } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { googleAddress, isSameAddress } from '#shared/domain/google-address.ts';
import { watchMs } from '#server/http/acting.ts';
import { recordMember } from '#server/auth/member-guard.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { forget as forgetMember } from './forget.ts';
import { shownMember } from './members.ts';
import * as store from './store.ts';

/** Every portal looks once in `watchMs` who still is a member, before a stream goes on, and ends downloads. */
const untilAllEnded = () => sleep(2 * watchMs);

/** Gives another role, which every call from now on has; streams and downloads that it doesn't allow have ended when this returns. */
export async function changeMember(
  portal: Portal,
  owner: SignedInMember,
  memberId: string,
  role: GivenRole,
): Promise<Member> {
  const changed = await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const member = await store.lockMember(tx, owner, memberId);
    if (!member) throw refuse('not_found');
    if (member.role === 'owner') throw refuse('owner_stays');
    await store.setRole(tx, member.id, role);
    return member;
  });
  await untilAllEnded();
  return shownMember({ ...changed, role }, owner);
}

/** Limits what keys of a member may use in a day. Returns when every gateway applies it; null when all of them do. */
export async function limitMember(
  portal: Portal,
  owner: SignedInMember,
  memberId: string,
  dailyLimit: number | null,
): Promise<string | null> {
  const { effectiveBy } = await changeAccess(portal, async (change) => {
    // Keys are made under this lock, so none is missed.
    await lockCustomer(owner, change.tx);
    const member = await store.lockMember(change.tx, owner, memberId);
    if (!member) throw refuse('not_found');
    await store.setDailyLimit(change.tx, member.id, dailyLimit);
    for (const { activationId } of await store.selectKeysMadeBy(change.tx, owner, memberId))
      change.announce(activationId);
  });
  return effectiveBy;
}

/** Removes a member: whatever was open to the person has ended when this returns. Keys, webhooks and mails to an accountant of the address stay, and are told. */
export async function removeMember(portal: Portal, owner: SignedInMember, memberId: string) {
  const email = await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const member = await store.lockMember(tx, owner, memberId);
    if (!member) throw refuse('not_found');
    if (member.role === 'owner') throw refuse('owner_stays');
    await end(portal, tx, owner, member);
    await happened(portal, owner, tx, { type: 'member.removed', memberId, email: member.email });
    return member.email;
  });
  await untilAllEnded();
  const accountant = await store.selectAccountantEmail(portal.db, owner);
  return {
    keys: await store.selectKeysMadeBy(portal.db, owner, memberId),
    webhooks: await store.selectWebhooksMadeBy(portal.db, owner, memberId),
    accountantEmail: accountant !== undefined && isSameAddress(accountant, email) ? accountant : null,
  };
}

/** The member leaves, and takes the own name along if wanted. */
export async function leaveCustomer(portal: Portal, member: SignedInMember, forget: boolean): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await lockCustomer(member, tx);
    const own = await store.lockMember(tx, member, member.memberId);
    if (!own) throw refuse('unauthorized');
    if (own.role === 'owner') throw refuse('owner_stays');
    await recordMember(tx, portal.clock, member, 'leaveCustomer', own.id);
    await end(portal, tx, member, own);
    await happened(portal, member, tx, { type: 'member.left', memberId: own.id, name: forget ? '' : own.name });
    if (forget) await forgetMember(tx, own.id);
  });
  await untilAllEnded();
}

type Found = NonNullable<Awaited<ReturnType<typeof store.lockMember>>>;

/** An offer of the ownership goes with the member. */
async function end({ clock, machineClock }: Portal, tx: Tx, owner: SignedInMember, member: Found): Promise<void> {
  const offers = await store.selectOpen(tx, owner);
  for (const offer of offers)
    if (offer.role === 'owner' && offer.invited_by !== null && offer.address === googleAddress(member.email))
      await store.endInvitation(tx, offer.id, new Date(clock()), 'REVOKED');
  await store.setRemoved(tx, member.id, new Date(machineClock()));
}
