import type { CallParsed, CallResult } from '#shared/contract/call.ts';
import type * as calls from '#shared/contract/two-step.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';
import { recordMember } from '#server/auth/member-guard.ts';
import * as ceremony from '#server/auth/passkeys.ts';
import { proofMs, type SignedInMember } from '#server/auth/sessions.ts';
import { newId } from '#server/crypto/ids.ts';
import { useIdToken } from '#server/auth/id-tokens.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import type { Portal } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import * as store from './store.ts';

/** An operator who sees the portal as the customer is no person of it. */
function sessionOf({ session }: SignedInMember): NonNullable<SignedInMember['session']> {
  if (session === undefined) throw refuse('read_only_view');
  return session;
}

/** Those that the browser can use: one of another host of the portal confirms nothing, and counts for nothing. */
const passkeysOf = (db: Db | Tx, portal: Portal, memberId: string) =>
  db
    .selectFrom('member_passkeys')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('host', '=', ceremony.passkeyHost(portal))
    .orderBy('created_at')
    .execute();

const holderOf = (member: SignedInMember, passkeys: readonly ceremony.PasskeyRow[]): ceremony.PasskeyHolder => ({
  sessions: 'sessions',
  hash: sessionOf(member).hash,
  passkeys,
  notAccepted: () => refuse('passkey_not_accepted'),
});

export async function readTwoStep(
  portal: Portal,
  member: SignedInMember,
): Promise<CallResult<typeof calls.readTwoStep>> {
  const { db } = portal;
  const isOn = await asksPasskey(db, member);
  const others = member.role === 'owner' ? await store.selectMembers(db, member) : [];
  const counts = await db
    .selectFrom('member_passkeys')
    .select(['member_id', countRows().as('count')])
    .where('customer_id', '=', member.customerId)
    .where('host', '=', ceremony.passkeyHost(portal))
    .groupBy('member_id')
    .execute();
  const countOf = new Map(counts.map(({ member_id: id, count }) => [id, count]));
  return {
    isOn,
    passkeys: (await passkeysOf(db, portal, member.memberId)).map(ceremony.shownPasskey),
    members: others
      .filter(({ id }) => id !== member.memberId)
      .map(({ id, name, email }) => ({ memberId: id, name, email, passkeys: countOf.get(id) ?? 0 })),
  };
}

/** Does the customer ask for passkeys? */
export async function asksPasskey(db: Db | Tx, { customerId }: Pick<SignedInMember, 'customerId'>): Promise<boolean> {
  const { two_step: isOn } = await db
    .selectFrom('customers')
    .select('two_step')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return isOn;
}

/**
 * Asks every member for a passkey, or stops that. A passkey of the owner confirms either, so there is one. Calls under way wait for the lock on their member,
 * or this waits for them: none that began before is done after it without a passkey.
 */
export async function switchTwoStep(portal: Portal, owner: SignedInMember, isOn: boolean): Promise<void> {
  if (sessionOf(owner).provenUntil === null) throw refuse('passkey_needed');
  const { clock } = portal;
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    await lockMembers(tx, owner);
    if ((await passkeysOf(tx, portal, owner.memberId)).length === 0) throw refuse('passkey_needed');
    if ((await asksPasskey(tx, owner)) === isOn) return;
    await tx.updateTable('customers').set({ two_step: isOn }).where('id', '=', owner.customerId).execute();
    await recordMember(tx, clock, owner, 'switchTwoStep', isOn ? 'on' : 'off');
    const changeId = `${owner.customerId}:${new Date(clock()).toISOString()}`;
    const { email: to, name } = await personOf(tx, owner.memberId);
    await happened(portal, owner, tx, { type: 'passkeys.changed', changeId, what: isOn ? 'on' : 'off', to, name });
  });
}

/** In one order, as whoever locks several does. */
async function lockMembers(tx: Tx, { customerId }: SignedInMember): Promise<void> {
  await tx
    .selectFrom('members')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

async function personOf(db: Db | Tx, memberId: string) {
  const person = await store.selectPerson(db, memberId);
  if (!person) throw refuse('unauthorized');
  return person;
}

export async function beginMemberPasskey(
  portal: Portal,
  member: SignedInMember,
): Promise<CallResult<typeof calls.beginMemberPasskey>> {
  const passkeys = await passkeysOf(portal.db, portal, member.memberId);
  if (needsProof(member, passkeys, await asksPasskey(portal.db, member))) throw refuse('passkey_needed');
  const { email: name, name: displayName } = await personOf(portal.db, member.memberId);
  return ceremony.registrationOptions(portal, holderOf(member, passkeys), { id: member.memberId, name, displayName });
}

/** Only a passkey lets in another one where the account asks for them; elsewhere a new Google sign-in does too. */
const needsProof = (member: SignedInMember, passkeys: readonly unknown[], isOn: boolean): boolean =>
  sessionOf(member).provenUntil === null && isOn && passkeys.length > 0;

/** Adds a passkey. A session alone, which may be stolen, adds none: it takes a passkey that is there, or the person’s new sign-in with Google. */
export async function addMemberPasskey(
  portal: Portal,
  member: SignedInMember,
  { name, credential, googleIdToken }: CallParsed<typeof calls.addMemberPasskey>['body'],
): Promise<CallResult<typeof calls.addMemberPasskey>> {
  const { memberId, customerId } = member;
  const isSelf = googleIdToken !== undefined && (await isPerson(portal, memberId, googleIdToken));
  if (sessionOf(member).provenUntil === null && !isSelf) {
    const passkeys = await passkeysOf(portal.db, portal, memberId);
    const isOn = await asksPasskey(portal.db, member);
    throw refuse(needsProof(member, passkeys, isOn) ? 'passkey_needed' : 'identity_needed');
  }
  const holder = holderOf(member, []);
  const made = await ceremony.registeredPasskey(portal, holder, credential);
  const now = new Date(portal.machineClock());
  const id = newId('PSK');
  await transaction(portal.db, async (tx) => {
    await lockCustomer(member, tx);
    // One at a time: only one is the first.
    const person = await store.lockMember(tx, member, memberId);
    if (!person) throw refuse('unauthorized');
    const passkeys = await passkeysOf(tx, portal, memberId);
    if (needsProof(member, passkeys, await asksPasskey(tx, member))) throw refuse('passkey_needed');
    const added = await tx
      .insertInto('member_passkeys')
      .values({ ...made, id, customer_id: customerId, member_id: memberId, name, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw refuse('passkey_not_accepted');
    await ceremony.markProven(tx, holder, now);
    await recordMember(tx, portal.clock, member, 'addMemberPasskey', id);
    await tell(portal, tx, member, { changeId: `${id}:added`, what: 'added', email: person.email, name: person.name });
  });
  return ceremony.shownPasskey({ id, name, created_at: now, last_used_at: null });
}

/** Has the person of a membership just signed in with Google? Uses up the nonce. */
async function isPerson(portal: Portal, memberId: string, googleIdToken: string): Promise<boolean> {
  const { sub } = await useIdToken(portal, googleIdToken).catch((error: unknown) => {
    // The session goes on, whatever Google said.
    throw Object.assign(refuse('identity_needed'), { cause: error });
  });
  return sub === (await personOf(portal.db, memberId)).google_sub;
}

/** To the member and the owner, whatever mails they have chosen. */
async function tell(
  portal: Portal,
  tx: Tx,
  { customerId }: SignedInMember,
  {
    email,
    ...change
  }: { changeId: string; what: 'added' | 'removed' | 'removed by owner'; email: string; name: string },
): Promise<void> {
  const owner = { customerId };
  const members = await store.selectMembers(tx, owner);
  const ofOwner = members.find(({ role }) => role === 'owner')?.email ?? email;
  for (const to of new Set([email, ofOwner]))
    await happened(portal, owner, tx, { type: 'passkeys.changed', ...change, to });
}

export async function beginMemberProof(
  portal: Portal,
  member: SignedInMember,
): Promise<CallResult<typeof calls.beginMemberProof>> {
  const passkeys = await passkeysOf(portal.db, portal, member.memberId);
  if (passkeys.length === 0) throw refuse('not_found');
  return ceremony.proofOptions(portal, holderOf(member, passkeys));
}

/** Opens what needs a passkey for 15 minutes, in this session. */
export async function proveMemberPasskey(
  portal: Portal,
  member: SignedInMember,
  credential: CallParsed<typeof calls.proveMemberPasskey>['body']['credential'],
): Promise<CallResult<typeof calls.proveMemberPasskey>> {
  const holder = holderOf(member, await passkeysOf(portal.db, portal, member.memberId));
  const { passkeyId, counter } = await ceremony.provenPasskey(portal, holder, credential);
  const now = new Date(portal.machineClock());
  await transaction(portal.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('member_passkeys')
      .set({ counter, last_used_at: now })
      .where('id', '=', passkeyId)
      .executeTakeFirst();
    // Removed meanwhile.
    if (numUpdatedRows !== 1n) throw refuse('passkey_not_accepted');
    await ceremony.markProven(tx, holder, now);
  });
  return { provenUntil: new Date(now.getTime() + proofMs).toISOString() };
}

/** Removes an own passkey. A lost one may have proven other sessions: they are asked again. */
export async function removeMemberPasskey(portal: Portal, member: SignedInMember, passkeyId: string): Promise<void> {
  const { memberId } = member;
  await transaction(portal.db, async (tx) => {
    await lockCustomer(member, tx);
    const person = await store.lockMember(tx, member, memberId);
    if (!person) throw refuse('unauthorized');
    const removed = await tx
      .deleteFrom('member_passkeys')
      .where('id', '=', passkeyId)
      .where('member_id', '=', memberId)
      .returning('id')
      .executeTakeFirst();
    if (!removed) throw refuse('not_found');
    if ((await passkeysOf(tx, portal, memberId)).length === 0 && (await asksPasskey(tx, member)))
      throw refuse('last_passkey');
    await tx
      .updateTable('sessions')
      .set({ proven_at: null })
      .where('member_id', '=', memberId)
      .where('token_hash', '<>', sessionOf(member).hash)
      .execute();
    const { email, name } = person;
    await tell(portal, tx, member, { changeId: `${passkeyId}:removed`, what: 'removed', email, name });
  });
}

/** Takes all passkeys of a member, and what they have confirmed. Returns whether there was one. */
export async function forgetPasskeysOf(tx: Tx, memberId: string): Promise<boolean> {
  const removed = await tx.deleteFrom('member_passkeys').where('member_id', '=', memberId).returning('id').execute();
  await tx.updateTable('sessions').set({ proven_at: null }).where('member_id', '=', memberId).execute();
  return removed.length > 0;
}

/** The owner does it for a member who has lost them; nobody does it for the owner but the provider (provider.ts). */
export async function removePasskeysOf(portal: Portal, owner: SignedInMember, memberId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const member = await store.lockMember(tx, owner, memberId);
    if (!member) throw refuse('not_found');
    if (member.role === 'owner') throw refuse('owner_stays');
    if (!(await forgetPasskeysOf(tx, memberId))) throw refuse('not_found');
    const changeId = `${memberId}:${new Date(portal.clock()).toISOString()}`;
    const { email, name } = member;
    await tell(portal, tx, owner, { changeId, what: 'removed by owner', email, name });
  });
}
